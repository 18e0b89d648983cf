"""How a task is marked: pure functions of what was recorded, one file for each kind of check.

    tokens, text        words, and the rules about one text         inequalities   numbers
    answers             the answer: `string_match`                  urls           the address: `url_match`
    contents            what pages show: `program_html`             images         their images: `page_image_query`
    page_checks         checks that look at pages, and their reads  section        all checks of a task together
    helper_calls        the 15 site helpers, by an allow-list       helper_values  what they make of a page
    judged              what only a judge can say                   verdict        a verdict, and the two modes

`reference` follows the released code, quirks included; `strict` is what the tasks mean.
"""
