/* Scenarios for cbits/file/map.c, one a run: test_map SCENARIO FOLDER. Ends with 0, with 1 and the
 * line that failed, or by the signal that the scenario is about. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64

#include "map_changes.h"
#include "map_signals.h"
#include "map_tools.h"

/* ---- scenarios: opening ---- */

static void a_file_is_its_bytes(void) {
    mapping m;
    open_file(0, &m);
    require(m.length == SIZE);
    for (uint64_t i = 0; i < SIZE; i++) require(m.bytes[i] == byte_at(i));
    mapping_close(&m);
    require(m.bytes == NULL && m.length == 0);
    mapping_close(&m);
}

static void refuse(const char *name, uint32_t status, const char *field, uint64_t found) {
    mapping m;
    pocket_error e = {0};
    int before = lowest_free_descriptor();
    require(mapping_open(name, 1, &m, &e) == status && mapping_open(name, 1, &m, NULL) == status);
    require(e.status == status && e.section == 0 && e.block == -1 && e.found == found &&
            strcmp(e.field, field) == 0);
    require(m.bytes == NULL && m.length == 0);
    require(lowest_free_descriptor() == before);
}

static void what_cannot_be_mapped_is_refused(void) {
    refuse(names[0], POCKET_IO, "open the file", ENOENT);
    refuse("", POCKET_IO, "open the file", ENOENT);
    require(mkdir(names[0], 0700) == 0);
    refuse(names[0], POCKET_IO, "open the file", EISDIR);
    require(rmdir(names[0]) == 0 && mkfifo(names[0], 0600) == 0);
    refuse(names[0], POCKET_IO, "map the file", ENODEV);
    refuse("/dev/null", POCKET_IO, "map the file", ENODEV);
    require(unlink(names[0]) == 0);
    write_file(names[0], 0);
    refuse(names[0], POCKET_NOT_POCKET, "file size", 0);
    if (geteuid() == 0) return;
    write_file(names[0], 9);
    require(chmod(names[0], 0) == 0);
    refuse(names[0], POCKET_IO, "open the file", EACCES);
}

/* A sparse file of 5 GiB: an index on 64 bits, a refusal on 32. */
static void a_file_that_no_address_space_of_32_bits_holds(void) {
    mapping m;
    write_file(names[0], 9);
    require(truncate(names[0], (off_t)5 << 30) == 0);
    if (sizeof(size_t) == 4) {
        refuse(names[0], POCKET_IO, "map the whole file", EFBIG);
        return;
    }
    require(mapping_open(names[0], 1, &m, NULL) == POCKET_OK && m.length == (uint64_t)5 << 30);
    require(m.bytes[m.length - 1] == 0 && m.bytes[8] == byte_at(8));
    mapping_close(&m);
}

/* ---- scenarios: pocket_open_path ---- */

static void an_index_is_guarded_and_unmapped(void) {
    pocket_index *index;
    pocket_error e;
    int before = lowest_free_descriptor();
    write_file(names[0], SIZE);
    require(pocket_open_path(names[0], &index, &e) == POCKET_OK && index == &an_index &&
            opened == 1);
    mapping copy = *(mapping *)index->mapping;
    struct reading r = {&copy, FAR, 0};
    require(index->bytes == r.m->bytes && index->length == SIZE);
    require(index->guard(index->mapping, read_byte, &r) == 77);
    shorten(0);
    require(index->guard(index->mapping, read_byte, &r) == POCKET_FILE_CHANGED);
    pocket_close(index);
    require(lowest_free_descriptor() == before &&
            msync((void *)(uintptr_t)copy.bytes, SIZE, MS_ASYNC) == -1 && errno == ENOMEM);
}

static const pocket_open_options without_handler = {sizeof without_handler, 1};

static uint32_t opened_without_handler(pocket_index **index, pocket_error *e) {
    write_file(names[0], SIZE);
    return pocket_open_path_with(names[0], &without_handler, index, e);
}

static void no_handler_is_installed_where_none_is_wanted(void) {
    pocket_index *index;
    pocket_error e;
    struct sigaction now;
    require(opened_without_handler(&index, &e) == POCKET_OK && index == &an_index);
    require(sigaction(SIGBUS, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
    struct reading r = {index->mapping, 0, 0};
    require(index->guard(index->mapping, read_byte, &r) == 77);
    shorten(0);
    require(index->guard(index->mapping, read_byte, &r) == POCKET_FILE_CHANGED);
    pocket_close(index);
}

static void without_a_handler_a_shortened_file_ends_the_process(void) {
    pocket_index *index;
    pocket_error e;
    require(opened_without_handler(&index, &e) == POCKET_OK);
    shorten(0);
    struct reading r = {index->mapping, FAR, 0};
    index->guard(index->mapping, read_byte, &r);
}

static void options_of_another_size_are_refused(void) {
    pocket_index *index = &an_index;
    pocket_error e;
    pocket_open_options wrong = {4, 0};
    write_file(names[0], SIZE);
    require(pocket_open_path_with(names[0], &wrong, &index, &e) == POCKET_BAD_ARGUMENT && !index);
    require(e.found == 4 && e.expected == sizeof wrong && opened == 0);
}

static void a_file_lost_while_it_is_opened(void) {
    pocket_index *index = &an_index;
    pocket_error e = {0};
    write_file(names[0], SIZE);
    int before = lowest_free_descriptor();
    truncate_on_open = 1;
    require(pocket_open_path(names[0], &index, &e) == POCKET_FILE_CHANGED && index == NULL);
    require(lowest_free_descriptor() == before && opened == 1 &&
            closed == 1); /* what opening had got so far is given back */
    require(e.status == POCKET_FILE_CHANGED && e.section == 0 && e.block == -1 && e.field == NULL);
}

static void the_error_of_opening_arrives(void) {
    pocket_index *index = &an_index;
    pocket_error e = {0};
    uint64_t size = 0;
    while (byte_at(size) != 1) size++;
    write_file(names[0], (size_t)size + 1);
    require(pocket_open_path(names[0], &index, &e) == POCKET_DAMAGED_FIELD && index == NULL &&
            closed == 0);
    require(e.status == POCKET_DAMAGED_FIELD && e.section == 3 && e.block == 4 && e.expected == 5 &&
            e.found == 6);
    require(pocket_open_path("", &index, &e) == POCKET_IO && index == NULL && e.found == ENOENT &&
            opened == 1);
    require(pocket_open_path("", &index, NULL) == POCKET_IO);
}

/* ---- what a guard costs; no test ---- */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void cost(void) {
    enum { TIMES = 5000000 };
    uint32_t (*volatile work)(void *) = give;
    mapping m;
    uint32_t zero = 0, sum = 0;
    open_file(0, &m);
    double start = seconds();
    for (int i = 0; i < TIMES; i++) sum += work(&zero);
    double bare = seconds();
    for (int i = 0; i < TIMES; i++) sum += mapping_guard(&m, work, &zero);
    double end = seconds();
    require(sum == 0);
    printf("a call %.1f ns, guarded %.1f ns\n", 1e9 / TIMES * (bare - start),
           1e9 / TIMES * (end - bare));
}

#define SCENARIO(name) {#name, name}
static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    SCENARIO(a_file_is_its_bytes),
    SCENARIO(what_cannot_be_mapped_is_refused),
    SCENARIO(a_file_that_no_address_space_of_32_bits_holds),
    SCENARIO(a_shortened_file_is_a_status),
    SCENARIO(a_file_that_was_short_for_a_moment_has_changed),
    SCENARIO(unreadable_bytes_of_an_unchanged_file_are_an_io_error),
    SCENARIO(whatever_work_finds_in_a_changed_file_is_its_change),
    SCENARIO(a_byte_written_in_place_is_a_change),
    SCENARIO(a_byte_written_in_the_tick_of_opening_is_a_change),
    SCENARIO(a_file_that_is_written_all_the_time_is_opened),
    SCENARIO(times_of_another_clock_are_taken_as_they_are),
    SCENARIO(a_change_whose_time_was_put_back_is_one),
    SCENARIO(a_file_that_is_linked_or_removed_is_the_same),
    SCENARIO(a_replaced_file_is_still_the_old_one),
    SCENARIO(the_signal_mask_survives),
    SCENARIO(work_on_an_alternate_stack_of_signals),
    SCENARIO(guards_nest),
    SCENARIO(threads_lose_the_file_while_they_read),
    SCENARIO(threads_open_at_once),
    SCENARIO(a_fault_of_others_goes_to_the_handler_before),
    SCENARIO(a_handler_before_runs_on_its_stack_and_with_its_mask),
    SCENARIO(a_handler_before_may_be_of_the_plain_kind),
    SCENARIO(a_handler_before_may_be_for_one_signal),
    SCENARIO(a_fault_of_others_ends_the_process),
    SCENARIO(a_signal_sent_ends_the_process),
    SCENARIO(our_bytes_without_a_guard_end_the_process),
    SCENARIO(a_signal_ignored_before_is_ignored_when_sent),
    SCENARIO(a_fault_of_others_cannot_be_ignored),
    SCENARIO(an_index_is_guarded_and_unmapped),
    SCENARIO(no_handler_is_installed_where_none_is_wanted),
    SCENARIO(without_a_handler_a_shortened_file_ends_the_process),
    SCENARIO(options_of_another_size_are_refused),
    SCENARIO(a_file_lost_while_it_is_opened),
    SCENARIO(the_error_of_opening_arrives),
    SCENARIO(cost),
};

int main(int count_of_arguments, char **arguments) {
    require(count_of_arguments == 3);
    for (int i = 0; i < 2; i++) snprintf(names[i], sizeof names[i], "%s/%d", arguments[2], i);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        if (strcmp(arguments[1], scenarios[i].name)) continue;
        scenarios[i].run();
        return 0;
    }
    return 2;
}
