"""Further pairs of drawings: some widen what the reader is tuned on, some are only scored on.

Whoever tunes the reader must not look at `UNSEEN`: that is what makes its score worth something.
"""

from __future__ import annotations

from vision.render_drawings import Drawing

WIDE: dict[str, tuple[Drawing, Drawing]] = {
    "skull and bow": (
        (
            (
                "M24 3C11 3 5 11 6 22C6 28 9 31 13 33V42H35V33C39 31 42 28 42 22C43 11 37 3 24 3z"
                "M16 18a4.500 5 0 1 0 .01 0zM32 18a4.500 5 0 1 0 .01 0zM24 27L21 33H27z",
                0,
            ),
        ),
        (("M12 3C34 10 34 38 12 45", 4), ("M12 3V45M6 24H44M44 24L37 19M44 24L37 29", 2.5)),
    ),
    "crown and key": (
        (("M4 40L2 12L14 24L24 6L34 24L46 12L44 40zM10 34H38V37H10z", 0),),
        (
            ("M24 2a10 10 0 1 0 .01 0zM24 7a5 5 0 1 1-.01 0z", 0),
            ("M21 20H27V46H21zM27 32H37V36H27zM27 40H35V44H27z", 0),
        ),
    ),
    "hammer and tower": (
        (("M6 6H42V20H28V46H20V20H6z", 0),),
        (
            (
                "M8 4H15V9H20V4H28V9H33V4H40V18H36V46H12V18H8zM21 46V36C21 32 27 32 27 36V46z",
                0,
            ),
        ),
    ),
    "thin helm and thin targe": (
        (
            ("M8 36C7 16 14 6 24 6C34 6 41 16 40 36Z", 2),
            ("M24 6V26M15 26H33M15 26C15 30 21 30 22 26M26 26C27 30 33 30 33 26", 2),
        ),
        (
            ("M24 4a20 20 0 1 0 .01 0z", 2),
            ("M24 18a6 6 0 1 0 .01 0zM24 4V18M24 30V44M4 24H18M30 24H44", 2),
        ),
    ),
    "raven and tree": (
        (
            (
                "M2 22L14 16C18 6 30 6 32 16C40 18 45 26 46 40C40 34 36 33 32 34L30 44H26L27 34"
                "C20 34 15 30 13 24zM20 13a2 2 0 1 0 .01 0z",
                0,
            ),
        ),
        (("M24 2L38 18H31L42 32H27V46H21V32H6L17 18H10z", 0),),
    ),
}
"""Drawings that boxes of the wide looks carry besides the usual ones."""

UNSEEN: dict[str, tuple[Drawing, Drawing]] = {
    "spectacle helm and swirl": (
        (
            (
                "M24 2C12 4 7 13 7 22L8 30C12 36 17 34 21 30L22 44H26L27 30C31 34 36 36 40 30"
                "L41 22C41 13 36 4 24 2zM12 21a5 4 0 1 0 .01 0zM36 21a5 4 0 1 0 .01 0z",
                0,
            ),
        ),
        (
            ("M24 2a22 22 0 1 0 .01 0z", 2.5),
            (
                "M24 24C24 14 32 8 38 10M24 24C34 24 40 32 38 38M24 24C24 34 16 40 10 38"
                "M24 24C14 24 8 16 10 10",
                4,
            ),
        ),
    ),
    "sallet and chevron": (
        (
            (
                "M4 30C4 14 14 6 26 6C38 6 44 16 44 26L46 36H36L34 29H18L16 36H4zM20 22V25H42V22z",
                0,
            ),
        ),
        (
            (
                "M6 4H42V24C42 36 33 42 24 46C15 42 6 36 6 24zM10 20L24 10L38 20V26L24 16L10 26z"
                "M12 32L24 23L36 32L33 36L24 29L15 36z",
                0,
            ),
        ),
    ),
    "winged helm and kite": (
        (
            ("M14 42V26C14 16 18 12 24 12C30 12 34 16 34 26V42H28V28H20V42z", 0),
            ("M12 26C4 24 1 14 3 3C8 6 13 12 14 18zM36 26C44 24 47 14 45 3C40 6 35 12 34 18z", 0),
        ),
        (
            (
                "M24 2C34 2 40 8 39 18C37 30 31 40 24 46C17 40 11 30 9 18C8 8 14 2 24 2z"
                "M22 6V18H12V22H22V40H26V22H36V18H26V6z",
                0,
            ),
        ),
    ),
    "wolf and paw": (
        (
            (
                "M8 2L18 12H30L40 2L43 22L34 34L28 45H20L14 34L5 22zM14 21L21 25L15 27z"
                "M34 21L27 25L33 27zM21 37H27L24 41z",
                0,
            ),
        ),
        (
            ("M24 24C34 24 40 34 36 41C33 45 28 42 24 42C20 42 15 45 12 41C8 34 14 24 24 24z", 0),
            (
                "M8 16a4.500 6 0 1 0 .01 0zM18 6a4.500 6.500 0 1 0 .01 0zM30 6a4.500 6.500 0 1 0 "
                ".01 0zM40 16a4.500 6 0 1 0 .01 0z",
                0,
            ),
        ),
    ),
    "anchor and wave": (
        (
            ("M24 12V44M12 19H36M6 28C8 40 16 44 24 44C32 44 40 40 42 28", 4),
            ("M24 2a5 5 0 1 0 .01 0z", 3),
        ),
        (
            ("M2 16C8 8 14 8 20 16C26 24 32 24 38 16L46 10", 4),
            ("M2 28C8 20 14 20 20 28C26 36 32 36 38 28L46 22", 4),
            ("M2 40C8 32 14 32 20 40C26 48 32 48 38 40L46 34", 4),
        ),
    ),
    "fine helm and fine heater": (
        (
            ("M7 44V24C7 12 14 4 24 4C34 4 41 12 41 24V44H30V32H18V44Z", 2.2),
            ("M24 4V22M12 26H20M28 26H36M24 26V32", 2.2),
        ),
        (
            ("M6 5H42V22C42 34 34 41 24 45C14 41 6 34 6 22Z", 2.2),
            ("M6 5L42 30M42 5L6 30M24 17a5 5 0 1 0 .01 0z", 2.2),
        ),
    ),
    "knot and rune": (
        (("M24 4L44 24L24 44L4 24Z", 3.5), ("M10 10H38V38H10Z", 3.5)),
        (("M16 4V44M16 8L34 22L16 30", 5), ("M16 30L36 44", 5)),
    ),
    "bucket helm and buckler": (
        (
            (
                "M9 5H39V40C34 45 14 45 9 40zM13 17V21H22V17zM26 17V21H35V17zM22 9V40H26V9z"
                "M13 28h4v4h-4zM31 28h4v4h-4zM14 35h4v3h-4zM30 35h4v3h-4z",
                0,
            ),
        ),
        (
            (
                "M24 2a22 22 0 1 0 .01 0zM24 7a17 17 0 1 1-.01 0z",
                0,
            ),
            ("M24 11a13 13 0 1 0 .01 0zM24 19a5 5 0 1 1-.01 0z", 0),
        ),
    ),
}
"""Drawings of the unseen looks: never tuned on."""
