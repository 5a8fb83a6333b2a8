"""The codes reported below the lint layer: by readers, the builder, and shared checks.

A rule that only lint runs states its own `Code` in its module. What each code means, why it
matters and how to fix it stands in the docstring of its module in `phyzctl.lint.reported` or
`.rules`; a test keeps both sides complete. Numbers are never reused.
"""

from __future__ import annotations

from phyzctl.issues import Code, Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

# X: XML and values
XML_MALFORMED = Code("X001", "xml-malformed", _E)
ROOT_UNKNOWN = Code("X002", "root-unknown", _E)
NAME_NEAR_MISS = Code("X003", "name-near-miss", _W)
ELEMENT_UNKNOWN = Code("X004", "element-unknown", _I)
ELEMENT_REPEATED = Code("X005", "element-repeated", _E)
REQUIRED_MISSING = Code("X006", "required-missing", _E)
KEYWORD_UNKNOWN = Code("X008", "keyword-unknown", _E)
TEXT_STRAY = Code("X009", "text-stray", _W)
NUMBER_UNREADABLE = Code("X010", "number-unreadable", _E)
DECIMAL_COMMA = Code("X011", "decimal-comma", _E)
NUMBER_NOT_FINITE = Code("X012", "number-not-finite", _E)
MACRO_UNEXPANDED = Code("X013", "macro-unexpanded", _E)
ENCODING_WRONG = Code("X015", "encoding-wrong", _E)
XML_REPAIRED = Code("X016", "xml-repaired", _W)
DOCTYPE_REFUSED = Code("X017", "doctype-refused", _E)
DOCUMENT_TOO_LARGE = Code("X018", "document-too-large", _E)
INCLUDE_FAILED = Code("X019", "include-failed", _E)
VERSION_UNKNOWN = Code("X020", "version-unknown", _E)
JSON_MALFORMED = Code("X021", "json-malformed", _E)
JSON_UNFIT = Code("X022", "json-unfit", _E)
XACRO_FAILED = Code("X014", "xacro-failed", _E)
XACRO_LIBRARY = Code("X024", "xacro-library", _I)

# N: names
NAME_DUPLICATE = Code("N301", "name-duplicate", _E)
NAME_BLANK = Code("N303", "name-blank", _E)
REFERENCE_UNKNOWN = Code("N305", "reference-unknown", _E)

# T: tree
ROOT_NOT_SINGLE = Code("T401", "root-not-single", _E)
LOOP = Code("T402", "loop", _E)
PARENTS_SEVERAL = Code("T403", "parents-several", _E)
LINK_UNKNOWN = Code("T404", "link-unknown", _E)
JOINT_TYPE_UNKNOWN = Code("T405", "joint-type-unknown", _E)
FREEJOINT_NESTED = Code("T407", "freejoint-nested", _E)

# I: inertia
INERTIA_NOT_POSITIVE = Code("I100", "inertia-not-positive", _E)
INERTIA_TRIANGLE = Code("I101", "inertia-triangle", _E)
INERTIA_ZERO = Code("I102", "inertia-zero", _E)
GROUP_MASSLESS = Code("I103", "group-massless", _E)
KINEMATICS_ONLY = Code("I104", "kinematics-only", _I)
INERTIA_ROUNDED = Code("I105", "inertia-rounded", _W)
MASS_TINY = Code("I106", "mass-tiny", _W)
MASS_NEGATIVE = Code("I107", "mass-negative", _E)
INERTIAL_IGNORED = Code("I132", "inertial-ignored", _W)

# J: joints
LIMIT_MISSING = Code("J200", "limit-missing", _E)
LIMIT_INVERTED = Code("J201", "limit-inverted", _E)
AXIS_ZERO = Code("J211", "axis-zero", _E)
DAMPING_NEGATIVE = Code("J215", "damping-negative", _E)
MIMIC_UNKNOWN = Code("J220", "mimic-unknown", _E)
MIMIC_CYCLE = Code("J221", "mimic-cycle", _E)
SOFT_LIMIT_OUTSIDE = Code("J208", "soft-limit-outside", _W)

# G, F: geometry and files
SIZE_NOT_POSITIVE = Code("G508", "size-not-positive", _E)
MATERIAL_UNDEFINED = Code("G512", "material-undefined", _I)
GEOMETRY_MISSING = Code("G513", "geometry-missing", _E)
PACKAGE_NOT_FOUND = Code("F600", "package-not-found", _W)
FILE_MISSING = Code("F601", "file-missing", _E)
PATH_NOT_PORTABLE = Code("F602", "path-not-portable", _W)
MESH_UNREADABLE = Code("F604", "mesh-unreadable", _E)

# A, C, K, M: actuators, contact, keyframes, MJCF settings
ACTUATOR_JOINT_UNKNOWN = Code("A701", "actuator-joint-unknown", _E)
RANGE_INVERTED = Code("A713", "range-inverted", _E)
GAIN_SIGN = Code("A714", "gain-sign", _E)
NOTHING_COLLIDES = Code("C910", "nothing-collides", _E)
MATERIAL_UNREAD = Code("C912", "material-unread", _W)
MATERIAL_GRIPPY = Code("C913", "material-grippy", _W)
CONTACT_NAME_UNKNOWN = Code("C920", "contact-name-unknown", _E)
EXCLUDE_REDUNDANT = Code("C921", "exclude-redundant", _I)
CONTACT_PARAMETER = Code("C922", "contact-parameter", _E)
CONTACT_STIFF = Code("C923", "contact-stiff", _W)
KEYFRAME_OUTSIDE_RANGE = Code("K701", "keyframe-outside-range", _W)
KEYFRAME_CTRL_OUTSIDE = Code("K702", "keyframe-ctrl-outside", _W)
KEYFRAME_SIZE = Code("K703", "keyframe-size", _W)
REST_OUTSIDE_RANGE = Code("K704", "rest-outside-range", _W)
ZERO_OUTSIDE_LIMITS = Code("K705", "zero-outside-limits", _I)
KEYFRAME_NOT_UNIT = Code("K706", "keyframe-not-unit", _W)
CLASS_UNKNOWN = Code("M013", "class-unknown", _E)
NAME_TAKEN_BY_FILE = Code("M015", "name-taken-by-file", _E)
MOCAP_MISPLACED = Code("M016", "mocap-misplaced", _E)
TIMESTEP_NOT_POSITIVE = Code("M017", "timestep-not-positive", _E)

# S: what a run shows
SIMULATION_DIVERGES = Code("S952", "simulation-diverges", _E)
ENERGY_GROWS = Code("S953", "energy-grows", _I)
VELOCITY_EXCEEDED = Code("S955", "velocity-exceeded", _W)
NEVER_SETTLES = Code("S956", "never-settles", _I)
BASE_FALLS = Code("S957", "base-falls", _W)
LIMIT_PRESSED = Code("S958", "limit-pressed", _I)
ACTUATOR_SATURATED = Code("S959", "actuator-saturated", _I)
OVERLAP_AT_START = Code("S960", "overlap-at-start", _W)
PAIR_NEVER_PARTS = Code("S961", "pair-never-parts", _I)
EQUALITY_OPEN = Code("S962", "equality-open", _I)
STEP_MATTERS = Code("S963", "step-matters", _I)
UNDRIVEN_FALLS = Code("S964", "undriven-falls", _I)
SOLVER_CAPPED = Code("S965", "solver-capped", _W)
MAY_PASS_THROUGH = Code("S966", "may-pass-through", _I)

# E: scenes and scenarios, which are TOML
TOML_MALFORMED = Code("E001", "toml-malformed", _E)
KEY_UNKNOWN = Code("E002", "key-unknown", _E)
KEY_MISSING = Code("E003", "key-missing", _E)
VALUE_OF_WRONG_TYPE = Code("E004", "value-of-wrong-type", _E)
VALUE_OUTSIDE = Code("E005", "value-outside", _E)
KEYS_CLASH = Code("E006", "keys-clash", _E)
ID_TAKEN = Code("E007", "id-taken", _E)
EXCLUSION_UNSOUND = Code("E008", "exclusion-unsound", _E)
FRAME_UNKNOWN = Code("E009", "frame-unknown", _E)
SCENE_FILE_UNUSABLE = Code("E010", "scene-file-unusable", _E)
SCENE_TEXT_MALFORMED = Code("E011", "scene-text-malformed", _E)
MOTION_UNUSABLE = Code("E012", "motion-unusable", _E)

# What a check of a robot in a scene finds
SELF_COLLISION = Code("E020", "self-collision", _E)
ENVIRONMENT_COLLISION = Code("E021", "environment-collision", _E)

# U: understood, but not supported here
UNSUPPORTED = Code("U001", "unsupported", _W)

# L: what a file that is written can't say
LOSS_OF_ACTUATOR = Code("L001", "loss-of-actuator", _W)
LOSS_OF_CONSTRAINT = Code("L002", "loss-of-constraint", _W)
LOSS_OF_MEASUREMENT = Code("L003", "loss-of-measurement", _W)
LOSS_OF_STATE = Code("L004", "loss-of-state", _W)
LOSS_OF_CONTACT = Code("L005", "loss-of-contact", _W)
LOSS_OF_JOINT_VALUE = Code("L006", "loss-of-joint-value", _W)
LOSS_OF_SHAPE = Code("L007", "loss-of-shape", _W)
LOSS_OF_SETTING = Code("L008", "loss-of-setting", _W)
LOSS_OF_EXTENSION = Code("L009", "loss-of-extension", _W)
LOSS_OF_STRUCTURE = Code("L010", "loss-of-structure", _I)
LOSS_OF_DERIVATION = Code("L011", "loss-of-derivation", _I)
LOSS_OF_NAME = Code("L012", "loss-of-name", _I)
LOSS_OF_SHORTHAND = Code("L013", "loss-of-shorthand", _I)
LOSS_OF_MESH_FORM = Code("L014", "loss-of-mesh-form", _I)
LOSS_OF_COMMENT = Code("L015", "loss-of-comment", _I)
LOSSES = (
    LOSS_OF_ACTUATOR,
    LOSS_OF_CONSTRAINT,
    LOSS_OF_MEASUREMENT,
    LOSS_OF_STATE,
    LOSS_OF_CONTACT,
    LOSS_OF_JOINT_VALUE,
    LOSS_OF_SHAPE,
    LOSS_OF_SETTING,
    LOSS_OF_EXTENSION,
    LOSS_OF_STRUCTURE,
    LOSS_OF_DERIVATION,
    LOSS_OF_NAME,
    LOSS_OF_SHORTHAND,
    LOSS_OF_MESH_FORM,
    LOSS_OF_COMMENT,
)
