"""Templates of agent projects, and how a project is made from one."""

from __future__ import annotations

from ._create import (
    CreatedProject,
    ProjectExistsError,
    ProjectNameError,
    Template,
    TemplateFailedError,
    UnknownTemplateError,
    create_project,
    package_name,
    templates,
)

__all__ = [
    "CreatedProject",
    "ProjectExistsError",
    "ProjectNameError",
    "Template",
    "TemplateFailedError",
    "UnknownTemplateError",
    "create_project",
    "package_name",
    "templates",
]
