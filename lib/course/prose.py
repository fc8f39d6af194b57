"""Short texts of the book's YAML files and exercises: Markdown with $…$, as HTML."""

import html
from functools import cache


def inline(text: str) -> str:
    """Markdown on one line as HTML; formulas stand in \\(…\\), which the book and Jupyter set."""
    return _markdown().renderInline(text)


def paragraphs(text: str) -> str:
    """Paragraphs, lists and formulas as HTML."""
    return _markdown().render(text).strip()


@cache
def _markdown():
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    def in_line(self, tokens, i, options, env) -> str:
        return f'<span class="math">\\({html.escape(tokens[i].content, quote=False)}\\)</span>'

    def on_its_own(self, tokens, i, options, env) -> str:
        return f'<div class="math">\\[{html.escape(tokens[i].content, quote=False)}\\]</div>\n'

    parser = MarkdownIt("commonmark", {"html": False}).use(dollarmath_plugin)
    parser.add_render_rule("math_inline", in_line)
    parser.add_render_rule("math_block", on_its_own)
    return parser
