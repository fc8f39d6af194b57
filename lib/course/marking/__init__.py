"""Marking what a reader wrote: `verdict.mark(exercise, answer)` and what it stands on.

* `verdict` decides: not attempted, passed, not yet; `verdict_view` shows it, `briefly` its values.
* `stubs` knows an answer that is not written yet, `originality` one that is not the reader's.
* `attempt` calls the answer on the cases, in a process of its own: `isolation`. What comes back
  is plain data: `portable`; an exception becomes three short texts: `readers_error`.
* `agreement` compares with the expected result; `mistakes` finds the hint, among the typical
  wrong answers or from what the result shows: `diagnosis`.
"""
