pocketindex build "$1" -o train.pocket
pocketindex check train.pocket "$5" -o "$2" --min-similarity "$3" --source "$1"
