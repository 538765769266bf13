"""Words that a full stop follows without ending the sentence, by what decides whether it does.

All in lower case and without the last full stop. Abbreviations with full stops inside (`b.i.d.`,
`M.D.`) are known by their shape and need no entry, unless nothing ends behind them.
"""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


NEVER_LAST = _words(
    "dr drs mr mrs ms prof rev hon capt sgt lt col gen vs cf approx e.g i.e eg ie esp viz"
)
"""Something always follows: titles, `vs.`, `e.g.`"""

BEFORE_NUMBERS = _words(
    "no nos fig figs vol ch eq ref refs pp jan feb mar apr jun jul aug sep sept oct nov dec"
)
"""Abbreviations where a number follows; elsewhere words that end sentences (`Fever? No.`)."""

BEFORE_NAMES = _words(
    "st ste mt pt pts hx fhx pmhx shx dx ddx tx rx sx fx bx dept univ hosp blvd ave"
)
"""The next word is a name or a noun, so a capital tells nothing; one of `OPENERS` does."""

SHORTENED = _words(
    "etc al ca jr sr inc ltd co corp bros ext tab tabs cap caps susp inj soln supp temp resp cont "
    "incl excl avg max wt ht abd bilat lat ant vag neuro cardio psych ortho derm assoc"
)
"""The sentence ends if the next word has a capital."""

UNITS = _words(
    "mg mgs mcg gm gms kg kgs lb lbs oz ml mls dl cc cm mm km in ft hr hrs min mins sec secs wk "
    "wks mo mos yr yrs iu meq mmol mmhg tsp tbsp gtt gtts"
)
"""The sentence ends, unless a word of `AFTER_UNITS` follows."""

AFTER_UNITS = _words(
    "in of by x per at for and or to from with as once twice thrice daily nightly weekly monthly "
    "every each orally po p q b t prn bid tid qid qd qhs iv im sc tablet tablets capsule capsules "
    "long wide thick deep high tall above below proximal distal old"
)
"""Words in lower case that go on after a unit (`5 mg. twice daily`)."""

LETTERED = _words(
    "vitamin hepatitis influenza type class grade stage group factor lead plan appendix category "
    "phase level part option protein strep"
)
"""What single letters are written behind: `vitamin C.` ends a sentence, `John C.` doesn't."""

OPENERS = _words(
    "he she it they we you i his her its their our your my the a an this that these those there "
    "no not none all some any both each one as at after before by during for from if in on since "
    "to under upon when while with without and but however also then today currently overall "
    "patient patients pt denies reports states notes continue continues will was is has had"
)
"""Words with which sentences begin; names don't."""

UNFINISHED = _words(
    "a an the and or nor but of with without was were is are be been being has have had to for "
    "from by into onto than as at that which who whose his her their its our your my this these "
    "those no not per via between about will would should could can may might"
)
"""Words after which a line can't be complete."""
