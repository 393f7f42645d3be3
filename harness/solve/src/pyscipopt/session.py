"""SCIP by PySCIPOpt. The answer to a solve is `solved STATUS NODES ITERATIONS BOUND OBJECTIVE`, `none` for what there is not, and with a
solution a line `values` with the value of each variable.

After `solve SECONDS lazy` each solution that SCIP comes to is asked about before it is taken: `candidate NODES ITERATIONS`, counted since the
last solve began, and a line `values`. The answer is a line of JSON, the rows that it breaks and that belong to the model from then on; none of
them takes it.
"""


def add_row(pyscipopt, scip, terms, row):
    """Adds a row; `terms` are the variables as terms, which take long to make."""
    expression = pyscipopt.Expr({terms[index]: factor for index, factor in row["terms"]} or {pyscipopt.scip.Term(): 0.0})
    scip.addCons(pyscipopt.scip.ExprCons(expression, row["lower"], row["upper"]))


def build(pyscipopt, scip, data):
    objective = {index: factor for index, factor in data["objective"]}
    variables = [
        scip.addVar(var["name"], "B" if var["domain"] == "Binary" else "I", var["lower"], var["upper"], objective.get(index, 0.0))
        for index, var in enumerate(data["variables"])
    ]
    terms = [pyscipopt.scip.Term(variable) for variable in variables]
    for row in data["rows"]:
        add_row(pyscipopt, scip, terms, row)
    return variables, terms


def cut_lazily(pyscipopt, scip, variables, terms):
    """Has SCIP ask about each solution. What it concludes from the rows that it has must stay right when others come."""
    result = pyscipopt.SCIP_RESULT
    stage = pyscipopt.SCIP_STAGE
    # All rows that came, and of them those against what a heuristic found: there, nothing can be added yet.
    rows, pending = [], []
    counts = [0, 0]

    def flush():
        for row in pending:
            add_row(pyscipopt, scip, terms, row)
        pending.clear()
        return {"result": result.CONSADDED}

    def is_accepted(solution):
        values = [scip.getSolVal(solution, variable) for variable in variables]
        if any(not holds(row, values) for row in rows):
            return False
        # At other times SCIP does not tell.
        if scip.getStage() in (stage.PRESOLVING, stage.PRESOLVED, stage.SOLVING, stage.SOLVED):
            counts[:] = scip.getNTotalNodes(), scip.getNLPIterations()
        answer("candidate", *counts)
        answer("values", *map(round, values))
        new = json.loads(sys.stdin.readline())
        rows.extend(new)
        pending.extend(new)
        return not new

    def holds(row, values):
        total = sum(factor * values[index] for index, factor in row["terms"])
        return (row["lower"] is None or total >= row["lower"] - 0.5) and (row["upper"] is None or total <= row["upper"] + 0.5)

    def enforce(is_infeasible):
        if is_infeasible:
            return {"result": result.INFEASIBLE}
        return {"result": result.FEASIBLE} if is_accepted(None) else flush()

    class Lazy(pyscipopt.Conshdlr):
        def conscheck(self, constraints, solution, *_):
            return {"result": result.FEASIBLE if is_accepted(solution) else result.INFEASIBLE}

        def consenfolp(self, constraints, useful, is_infeasible):
            return enforce(is_infeasible)

        def consenfops(self, constraints, useful, is_infeasible, is_too_costly):
            return enforce(is_infeasible)

        def conssepalp(self, constraints, useful):
            return flush() if pending else {"result": result.DIDNOTRUN}

        def conslock(self, constraint, kind, positive, negative):
            # A row may come that either direction of any variable breaks.
            for variable in variables:
                scip.addVarLocksType(variable, kind, positive + negative, positive + negative)

    # After all others: what comes here is integral and keeps all rows.
    last = -5_000_000
    scip.includeConshdlr(
        Lazy(), "lazy", "asks about each solution", enfopriority=last, chckpriority=last, sepafreq=1, needscons=False
    )
    for name in ("misc/allowstrongdualreds", "misc/allowweakdualreds", "misc/usesymmetry"):
        scip.setParam(name, 0)


def set_option(scip, name, text):
    """Sets a parameter by its name, from text. Returns why SCIP does not take it; None if it does."""
    # The kinds of these exceptions depend on what is wrong; any is a refusal.
    try:
        now = scip.getParam(name)
    except Exception:
        return "there is no such parameter"
    kind = type(now)
    try:
        value = {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
        scip.setParam(name, value)
    except Exception:
        return f"it takes other values, of the type {kind.__name__}; without the option it is {now}"
    return None


def main():
    try:
        import pyscipopt
    except ImportError as error:
        answer("missing", f"has no package pyscipopt that works: {error}")
        return

    settings, options = read_settings()

    def made():
        scip = pyscipopt.Model()
        scip.hideOutput(not settings["verbose"])
        for name, value in options:
            why = set_option(scip, name, value)
            if why is not None:
                refuse(name, why)
        scip.setParam("timing/clocktype", 2)
        scip.setParam("randomization/randomseedshift", settings["seed"])
        return scip

    def solve(line, start):
        limit, *lazy = line.split()[1:]
        scip = made()
        variables, terms = build(pyscipopt, scip, json.loads(sys.stdin.readline()))
        if lazy:
            cut_lazily(pyscipopt, scip, variables, terms)
        if limit != "none":
            scip.setParam("limits/time", max(0.0, float(limit) - (time.monotonic() - start)))
        scip.optimize()
        bound, has_solution = scip.getDualbound(), scip.getNSols() > 0
        answer(
            "solved",
            scip.getStatus(),
            scip.getNTotalNodes(),
            scip.getNLPIterations(),
            "none" if scip.isInfinity(abs(bound)) else bound,
            scip.getObjVal() if has_solution else "none",
        )
        if has_solution:
            answer("values", *[scip.getVal(variable) for variable in variables])

    made()
    answer("ready", pyscipopt.__version__)
    for line in sys.stdin:
        try:
            solve(line, time.monotonic())
        except MemoryError:
            answer("solved memlimit none none none none")


main()
