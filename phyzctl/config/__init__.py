"""What a project chooses: rules, severities, tolerances, packages; from the nearest TOML file."""

from phyzctl.config.files import FILE_NAME, find_config, load_config, read_config
from phyzctl.config.settings import FAIL_ON, TARGETS, Config, Override, Variant, unknown_target

__all__ = [
    "FAIL_ON",
    "FILE_NAME",
    "TARGETS",
    "Config",
    "Override",
    "Variant",
    "find_config",
    "load_config",
    "read_config",
    "unknown_target",
]
