pocketindex dedup "$1" -o "$2" --min-similarity "$3"
