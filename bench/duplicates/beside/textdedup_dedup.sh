python -m text_dedup.minhash --path parquet --data_files "$1" --split train --cache_dir cache --output output --column text --batch_size 10000 --threshold "$3" --num_perm "$4"
python -c "import sys, datasets; datasets.load_from_disk('output').to_parquet(sys.argv[1])" "$2"
