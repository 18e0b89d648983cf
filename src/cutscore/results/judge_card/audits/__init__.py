"""Audits of a judge: it is asked again about changed inputs, and what that does to its answers is measured."""
