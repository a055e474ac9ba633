# For those who type make; everything is in tasks.py.
PYTHON ?= python3
.PHONY: demo test lint bench docs clean
demo: ; @$(PYTHON) tasks.py demo
test: ; @$(PYTHON) tasks.py test
lint: ; @$(PYTHON) tasks.py lint
bench: ; @$(PYTHON) tasks.py bench
docs: ; @$(PYTHON) tasks.py docs
clean: ; @$(PYTHON) tasks.py clean
