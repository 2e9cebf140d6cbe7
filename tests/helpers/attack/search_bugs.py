"""Bugs of the C code of words: file, what stands there, what is put in its place."""

SEARCH_BUGS = {
    "a block of words beyond its room": (
        "words.c",
        "return *length <= x->word_room ? POCKET_OK",
        "return 1 ? POCKET_OK",
    ),
    "a word beyond its vocabulary": (
        "words.c",
        "if (more > (uint64_t)(b->end - b->next))",
        "if (0)",
    ),
    "a beginning that the word before has not": (
        "words.c",
        "if (shared > b->word_length)",
        "if (0)",
    ),
    "the word that begins a block": (
        "words.c",
        "if (b->number <= low || compare_bytes(b->word, b->word_length, bytes, length) <= 0)",
        "if (b->number <= low || compare_bytes(b->word, b->word_length, bytes, length) < 0)",
    ),
    "a word beside the one that is sought": (
        "word_list.c",
        "i = sample * WORDS_PER_SAMPLE; i < number;",
        "i = sample * WORDS_PER_SAMPLE; i + 1 < number;",
    ),
    "low bits of a gap": (
        "word_list.c",
        "return apart ? highest_one(apart) : 0;",
        "return apart > 1 ? highest_one(apart) - 1 : 0;",
    ),
    "a posting beyond the documents": (
        "word_list.c",
        "if (document >= most ||",
        "if (document > most ||",
    ),
    "postings before a block not compared": (
        "word_list.c",
        "if (before != l->read) return",
        "if (0) return",
    ),
    "more documents of a word than there are": (
        "word_list.c",
        "if (sum < (uint64_t)least || sum > l->index->documents)",
        "if (sum < (uint64_t)least)",
    ),
    "more documents of a word than were counted": (
        "word_list.c",
        "|| l->counted > most)",
        ")",
    ),
    "a count that every word has, without postings": (
        "word_list.c",
        "own || l->ending ? 1 : 2;",
        "1;",
    ),
    "the weight of a word": (
        "word_list.c",
        "own = word_logarithm(2 * having + 1);",
        "own = word_logarithm(2 * having + 2);",
    ),
    "rules of any bytes": ("words.c", "(x->word_rules && !is_rule(p))", "0"),
    "letters before an ending": (
        "form_by_rule.c",
        "if (letters < LEAST_STEM + doubled ||",
        "if (letters < LEAST_STEM ||",
    ),
    "a letter that is not doubled": (
        "form_by_rule.c",
        "return doubled && word->bytes[left - 1] != word->bytes[left - 2] ? 0 : left - doubled;",
        "return left - doubled;",
    ),
    "a letter that is to be doubled": ("form_by_rule.c", "twice = back & doubled;", "twice = 0;"),
    "a document in two ranks": ("words_check.c", "if (set && (*byte & bit))", "if (0)"),
    "a word twice": ("words_check.c", "c->before_length) <= 0)", "c->before_length) < 0)"),
    "bits behind the postings": (
        "words_check.c",
        "return rest == 0 ? POCKET_OK",
        "return 1 ? POCKET_OK",
    ),
    "where every 16th word begins": (
        "words_check.c",
        "load32(b->samples + 4 * (sample - 1)) != *at)",
        "0)",
    ),
    "a first answer to a search": ("search.c", "options->cold = given->cold;", ""),
    "words left out are not told": (
        "search.c",
        "f->capped = (uint32_t)(s->capped || s->asked.capped);",
        "f->capped = (uint32_t)s->capped;",
    ),
    "documents that lack a character of a run come as others": (
        "rank_words.c",
        "(runs && sum / TALLY_WORD == s->wanted);",
        "0;",
    ),
    "a level that weighs too little": (
        "rank_words.c",
        "{4, 7, 11, 15, 19, 22, 24, 25}",
        "{4, 6, 11, 15, 19, 22, 24, 25}",
    ),
    "a title with other words": (
        "rank_words.c",
        "rank + 1 < WORD_RANKS && rank + 1 - WORD_LEVELS == s->wanted",
        "rank + 1 < WORD_RANKS",
    ),
    "a title that has some of the words": (
        "rank_words.c",
        "tally_sum(&s->titles[0], document) == s->wanted ?",
        "tally_sum(&s->titles[0], document) ?",
    ),
    "no more for all words": ("rank_words.c", "score += score / 5;", "score += 0;"),
    "excluded words": (
        "rank_words.c",
        "tally_exclude(&s->tally, documents, count);",
        "(void)documents;",
    ),
    "the first beginning, not the heaviest": (
        "tally.c",
        "if (low < least) own",
        "if (!low) own",
    ),
    "one other form in place of all": (
        "rank_words.c",
        "tally_add(&s->one, documents, count, worth_of(rank) * ONE_FORM);",
        "tally_raise(&s->one, documents, count, worth_of(rank), 0);",
    ),
    "other forms that count more than the most": (
        "rank_words.c",
        "if (forms > TITLE_WORTH) forms = TITLE_WORTH;",
        "",
    ),
    "a block more of a common word": (
        "rank_words.c",
        "l->block - l->first_block < MOST_GOING_ON)",
        "l->block - l->first_block <= MOST_GOING_ON)",
    ),
    "of equal scores the later document": (
        "rank_words.c",
        "<< 32 | (UINT32_MAX - document);",
        "<< 32 | document;",
    ),
    "negative quotes": ("quoted.c", "|| have & negative)", ")"),
    "quotes in titles": (
        "quoted.c",
        "look_into(s, document->title, document->title_length, have);",
        "",
    ),
    "words of a quote in another order": (
        "quoted.c",
        "(r->count - q->count + i) % MOST_QUOTED",
        "(r->count - 1 - i) % MOST_QUOTED",
    ),
    "every last word is a beginning": ("asked_words.c", "(prefix && t.to == end)", "prefix"),
    "a word is asked for twice": (
        "asked_words.c",
        "if (a->words[i].role == role && a->words[i].length == t->length &&",
        "if (0 && a->words[i].length == t->length &&",
    ),
    "a negative quote of two words excludes them": (
        "asked_words.c",
        "} else if ((found.quoted || found.negative) && count_words(",
        "} else if (found.quoted && !found.negative && count_words(",
    ),
    "a table of half the room": ("tally.c", "* (sparse ? 2 : 1)", "* 1"),
    "a document at the place of another": (
        "tally.c",
        "while (t->documents[i] != 0 && t->documents[i] != document + 1) i",
        "while (0) i",
    ),
    "a place beyond the table": ("tally.c", "i = (i + 1) & (t->size - 1);", "i = i + 1;"),
    "the second word of a document in a table": (
        "tally.c",
        "t->sums[place] += sum;",
        "t->sums[place] = sum;",
    ),
    "the second word of a document": (
        "tally.c",
        "t->sums[documents[i]] += sum;",
        "t->sums[documents[i]] |= sum;",
    ),
    "words that no document has": (
        "find_words.c",
        "++*(known ? &s->wanted : &s->not_found);",
        "s->wanted++;",
    ),
    "documents of the last beginning alone": (
        "find_words.c",
        "s->documents[i] += list.documents;",
        "s->documents[i] = list.documents;",
    ),
    "more documents of beginnings than there are": (
        "find_words.c",
        "if (s->documents[i] > s->index->documents) s->documents[i] = s->index->documents;",
        "",
    ),
    "one beginning more than are looked at": (
        "find_words.c",
        "if (k == most) {",
        "if (k > most) {",
    ),
    "beginnings left out are not told": (
        "find_words.c",
        "if (k == most) { s->capped = 1;",
        "if (k == most) {",
    ),
    "documents with some of the words": (
        "rank_words.c",
        "int all = sum / TALLY_WORD == s->wanted;",
        "int all = sum / TALLY_WORD >= 1;",
    ),
    "the best are no heap": (
        "rank_words.c",
        "if (s->best_count == s->room) heap64(s->best, s->room);",
        "",
    ),
    "a quote longer than what was read": (
        "quoted.c",
        "if (r->count < q->count) return 0;",
        "",
    ),
    "the beginning of a quoted word": (
        "find_words.c",
        "if (!compare_bytes(bytes, length, word->bytes, word->length)) return 1;",
        "if (length >= word->length && !memcmp(bytes, word->bytes, word->length)) return 1;",
    ),
    "no other spelling of a quoted word": (
        "find_words.c",
        "return !compare_bytes(bytes, length, word->plain, word->plain_length);",
        "return 0;",
    ),
    "texts that were not looked into are not told": (
        "quoted.c",
        "if (filters && seen < s->options.most && all > given) s->capped = 1;",
        "",
    ),
    "quotes in titles that do not count": ("quoted.c", "|| !s->index->word_title_weight", ""),
    "texts that lack a word of a quote": (
        "quoted.c",
        "if (!needs_all(s)) return s->any;",
        "return s->any;",
    ),
    "the last similar group": ("group.c", "if (j - 1 >= group || g->looked", "if (g->looked"),
    "a part of the sketch is enough": ("group.c", ">= GROUPED;", ">= 0;"),
    "a document of a group begins another": (
        "group.c",
        "k < g->bytes && g->groups[i] == i;",
        "k < g->bytes;",
    ),
    "compared with another before": (
        "group.c",
        "g->looked[j - 1] == i + 1)",
        "g->looked[j - 1] != 0)",
    ),
    "the last part of a sketch": ("group.c", "k < g->bytes; k++)", "k + 1 < g->bytes; k++)"),
    "a group of what is no document": (
        "group.c",
        "if (g->documents[i] >= x->documents)",
        "if (g->documents[i] > x->documents)",
    ),
    "an unknown word is as common as the one before": (
        "word_list.c",
        "memset(l, 0, sizeof *l); return status || !*found",
        "if (status || *found) memset(l, 0, sizeof *l); return status || !*found",
    ),
    "the word beside an unknown one": (
        "word_list.c",
        "return status || !*found ? status : word_list_open(l, b);",
        "return status ? status : word_list_open(l, b);",
    ),
    "a known word beyond the room": (
        "known_words.c",
        "if (*a->count >= a->room) continue;",
        "if (*a->count > a->room) continue;",
    ),
    "words beyond the room are not counted": (
        "known_words.c",
        "if (*a->count >= a->room) continue;",
        "if (*a->count >= a->room) break;",
    ),
    "every text has one large term": (
        "doubt.c",
        "while (parts < MOST_PARTS && largest * largest * (parts + 1) <= b->square) parts++;",
        "",
    ),
    "a text whose terms are common is like any other": (
        "doubt.c",
        "(terms >= FEW_TERMS && mean < FAMILIAR ? OF_EACH * (FAMILIAR - mean) : 0)",
        "0",
    ),
    "a short text of common terms is a familiar one": (
        "doubt.c",
        "(terms >= FEW_TERMS && mean < FAMILIAR",
        "(mean < FAMILIAR",
    ),
    "distinct terms have their own weights": (
        "hashed.c",
        "weight = (int16_t)square_root((uint64_t)weight << 8);",
        "",
    ),
    "every hit in doubt is enough": (
        "doubt.c",
        "if (4 * (hit->similarity + similarity + added) >= enough) {",
        "if (1) {",
    ),
    "no hit in doubt is enough": (
        "doubt.c",
        "if (4 * (hit->similarity + similarity + added) >= enough) {",
        "if (0) {",
    ),
    "a short text is like any other": (
        "doubt.c",
        "if (is_low && q->report->terms < FEW_TERMS) enough += MORE_OF_SHORT;",
        "",
    ),
    "most terms of a text decide nothing": (
        "weigh.c",
        "return MANY_SQUARED * square >= both ||",
        "return",
    ),
    "words below the noise floor need no text": (
        "weigh.c",
        "(is_short || hit->similarity >= q->least)",
        "1",
    ),
    "nothing below the noise floor is in doubt": (
        "doubt.c",
        "if (least == min_related(q->index->documents)) least -= least / 4;",
        "",
    ),
    "no more words are looked up for candidates": (
        "evidence.c",
        "(is_near || (is_narrow && any_promises(e)))",
        "is_near",
    ),
    "no more words are looked up for what is near": (
        "weigh.c",
        "q->found_count && 4 * q->found[0].similarity >= 3 * q->least;",
        "0;",
    ),
}
