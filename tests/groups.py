"""The tests that .ci/run takes out of large sets: a smoke test of the page, a short run under
AddressSanitizer, the tutorials.

A test is named by its file and its function, wherever the file lies. conftest.py gives each the
marker of its group; test_groups.py holds that each is there.
"""

from __future__ import annotations

GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "smoke": {
        "test_disc_page.py": (
            "test_from_a_folder",
            "test_over_http",
            "test_a_picked_file",
            "test_served",
            "test_why",
            "test_markup_in_every_field_is_text",
            "test_several_collections_and_the_address",
            "test_short_and_missing_texts",
        ),
        "test_disc_page_several.py": ("test_hits_of_one_language_are_merged",),
        "test_disc_page_sources.py": ("test_sources_and_passages",),
        "test_disc_page_states.py": ("test_a_new_browser_is_told_nothing",),
        "test_disc_page_texts.py": ("test_snippets", "test_common_passages"),
        "test_disc_page_titles.py": ("test_proposals",),
        "test_disc_page_words.py": ("test_words_find_their_documents",),
        "test_picture.py": ("test_the_picture",),
        "test_pocket_search.py": ("test_a_search", "test_a_strict_policy_is_kept"),
        "test_site_search.py": ("test_from_a_folder_and_over_http_the_same",),
    },
    "asan": {
        "test_counting.py": ("test_no_way_of_counting_reads_beyond_a_block",),
        "test_examples.py": (
            "test_the_c_program_answers_like_the_package",
            "test_it_finds_in_a_larger_file",
            "test_complaints_name_the_file_and_what_to_do",
            "test_damage_is_named_as_the_package_names_it",
            "test_a_missing_document_and_wrong_arguments",
            "test_nothing_similar",
            "test_a_title_does_not_steer_the_terminal",
        ),
        "test_fuzz.py": ("test_the_corpus",),
        "test_html_marks.py": ("test_no_byte_beyond",),
        "test_inflate.py": ("test_under_sanitizers",),
        "test_jsonl_batches.py": ("test_no_byte_beyond",),
        "test_part.py": ("test_no_step_outside_under_the_sanitizers",),
        "test_platforms.py": ("test_native_under_sanitizers",),
        "test_site_words.py": ("test_no_byte_beyond_words_and_pages",),
        "test_wikitext.py": ("test_under_sanitizers",),
        "test_word_table.py": ("test_no_word_beyond_a_text",),
    },
    "tutorial": {"test_tutorials.py": ("test_a_tutorial",)},
}


def groups_of(file: str, function: str) -> list[str]:
    """The groups that a test is in."""
    return [name for name, files in GROUPS.items() if function in files.get(file, ())]
