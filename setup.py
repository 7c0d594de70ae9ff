"""What pyproject.toml cannot say: the project's ``data/`` goes into the package as ``ltrlib/_data``, where it stays."""

from setuptools import find_packages, setup

DATA = "ltrlib._data"

setup(
    packages=[*find_packages(include=["ltrlib", "ltrlib.*"]), DATA],
    package_dir={DATA: "data"},
    package_data={"ltrlib": ["py.typed"], DATA: ["**/*"]},
    exclude_package_data={DATA: ["raw/*", "raw/**/*"]},
)
