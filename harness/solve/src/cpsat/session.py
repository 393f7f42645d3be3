"""OR-tools' CP-SAT. Its setting is `workers`. The answer to a solve is `solved STATUS BRANCHES CONFLICTS PROPAGATIONS`, with the bound of
the objective behind it if there is one, and where the status has a solution a line `values` with the value of each variable.
"""


def literal(model, variables, made, var, value, holds):
    """The Boolean variable that is true where the variable has the value, or its negation."""
    key = (var, value)
    if key not in made:
        is_so = model.new_bool_var(f"{var}={value}")
        model.add(variables[var] == value).only_enforce_if(is_so)
        model.add(variables[var] != value).only_enforce_if(~is_so)
        made[key] = is_so
    return made[key] if holds else ~made[key]


# The upper bound of a sum that has none.
UNBOUNDED = 2**31 - 1


def translate(cp_model, data):
    model, made = cp_model.CpModel(), {}
    variables = [model.new_int_var(var["lower"], var["upper"], var["name"]) for var in data["variables"]]

    def lit(of):
        return literal(model, variables, made, *of)

    for constraint in data["constraints"]:
        ((kind, rule),) = constraint["rule"].items()
        if kind == "table":
            columns = [variables[index] for index in rule["variables"]]
            model.add_allowed_assignments(columns, data["tables"][rule["table"]])
        elif kind == "clause":
            model.add_bool_or([lit(of) for of in rule])
        else:
            value = lit if kind == "sum" else variables.__getitem__
            total = cp_model.LinearExpr.sum([factor * value(of) for factor, of in rule["terms"]])
            model.add(total >= rule["lower"])
            if rule["upper"] < UNBOUNDED:
                model.add(total <= rule["upper"])
    rule = data["single_loop"]
    if rule is not None:
        circuit(model, rule, lit)
    if data["objective"]:
        terms = [factor * variables[index] for factor, index in data["objective"]]
        model.minimize(cp_model.LinearExpr.sum(terms))
    for index, value in data["hint"]:
        model.add_hint(variables[index], value)
    return model, variables


def circuit(model, rule, lit):
    """One circuit through the nodes of the loop: each edge in one of its directions, other nodes with an arc to themselves."""
    arcs = []
    for edge in rule["edges"]:
        a, b = edge["ends"]
        there, back = model.new_bool_var(f"{a}>{b}"), model.new_bool_var(f"{b}>{a}")
        model.add(there + back == lit(edge["designated"]))
        arcs += [(a, b, there), (b, a, back)]
    if rule["length"] < rule["nodes"]:
        arcs += [(node, node, model.new_bool_var(f"{node}>{node}")) for node in range(rule["nodes"])]
    model.add_circuit(arcs)


def set_option(parameters, name, value):
    """Sets a parameter by its name, from text. Returns why CP-SAT does not take it; None if it does."""
    now = getattr(parameters, name, None) if name.isidentifier() else None
    # It has methods, and constants in capitals.
    if now is None or callable(now) or name.isupper():
        return "there is no such parameter"
    if ":" in value:
        return "a value with a colon, which would begin another parameter, cannot be given"
    for text in (f"{name}: {value}", f'{name}: "{value}"'):
        try:
            if hasattr(parameters, "merge_text_format"):
                taken = parameters.merge_text_format(text)
            else:
                from google.protobuf import text_format

                taken = text_format.Merge(text, parameters) is not None
        except Exception:  # Its kind depends on the version; any is a refusal.
            taken = False
        if taken is not False:
            return None
    return f"it takes other values; without the option it is {now}".replace("\n", " ")


def main():
    try:
        import ortools
        from ortools.sat.python import cp_model
    except ModuleNotFoundError as error:
        answer("missing", f"has no package ortools that works: {error}")
        return

    settings, options = read_settings()

    def solver():
        made = cp_model.CpSolver()
        for name, value in options:
            why = set_option(made.parameters, name, value)
            if why is not None:
                refuse(name, why)
        made.parameters.num_workers = settings["workers"]
        made.parameters.random_seed = settings["seed"]
        made.parameters.log_search_progress = bool(settings["verbose"])
        return made

    solver()
    answer("ready", ortools.__version__)
    for line in sys.stdin:
        start = time.monotonic()
        limit = line.split()[1]
        model, variables = translate(cp_model, json.loads(sys.stdin.readline()))
        here = solver()
        if limit != "none":
            left = float(limit) - (time.monotonic() - start)
            if left <= 0:
                answer("solved UNKNOWN none none none")
                continue
            here.parameters.max_time_in_seconds = left
        status = here.solve(model)
        name = here.status_name(status)
        proto = here.response_proto
        propagations = proto.num_binary_propagations + proto.num_integer_propagations
        # Stopped before it solves, it says 0.
        bound = [proto.best_objective_bound] if model.has_objective() and status != cp_model.UNKNOWN else []
        answer("solved", name, proto.num_branches, proto.num_conflicts, propagations, *bound)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            answer("values", *[here.value(variable) for variable in variables])


main()
