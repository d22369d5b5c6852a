# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
PORT ?= 8080
bin := .venv/bin

.PHONY: demo run test fast lint format soak bench wheel clean

demo: .setup-run
	$(bin)/companion demo --port $(PORT)

run: .setup-run
	$(bin)/companion run --port $(PORT) $(if $(CONFIG),--config $(CONFIG))

test: .setup-test chromium
	$(bin)/python -m pytest

fast: .setup-test
	$(bin)/python -m pytest -m "not slow and not browser"

soak: .setup-test
	$(bin)/python -m pytest -m "slow" --soak

# PEERS=1 measures other game engines beside ours, in an environment that is thrown away.
bench: .setup-test
	$(bin)/python -m tests.bench $(if $(PEERS),--peers) $(if $(JSON),--json $(JSON))

lint: .setup-test
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/basedpyright
	$(bin)/lint-imports

format: .setup-test
	$(bin)/ruff format .
	$(bin)/ruff check --fix .

wheel: .setup-test
	$(bin)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf .venv .setup-run .setup-test build dist *.egg-info

# pip says nothing new here on a second run: the mark is newer than pyproject.toml then.
.setup-run: pyproject.toml
	test -x $(bin)/python || $(PYTHON) -m venv .venv || { echo "Python's venv is missing: apt install python3-venv"; exit 1; }
	$(bin)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=24" "setuptools>=77" wheel
	$(bin)/python -m pip install --quiet --disable-pip-version-check -e .
	touch .setup-run

.setup-test: .setup-run
	$(bin)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch .setup-test

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q chromium; \
	  else echo "Chromium is missing: the browser tests need it. Install it with: sudo apt install chromium"; exit 1; fi; }
