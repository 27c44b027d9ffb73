"""Loops over a graph of numbered states: what can be reached, what can go on for ever.

Run as they are on small graphs, and as machine code on large ones (``graph_algorithms``, which
also makes the arrays). A graph has ``n`` states, ``offsets`` (edges of state s are offsets[s] ..
offsets[s + 1]) and ``targets``; ``live`` masks states with 0 or 1, ``allowed`` masks labels. Once
``stop``, an array of one number, is set from outside, a function ends early, with nothing that
counts.
"""


def reversed_graph(stop, offsets, targets, labels, allowed, n, starts, place, sources):
    """Write ``starts`` and ``sources`` of the edges with an allowed label, turned round."""
    for s in range(n):
        if stop[0]:
            break
        for e in range(offsets[s], offsets[s + 1]):
            if allowed[labels[e]]:
                starts[targets[e] + 1] += 1
    for s in range(n):
        starts[s + 1] += starts[s]
        place[s] = starts[s]
    for s in range(n):
        if stop[0]:
            break
        for e in range(offsets[s], offsets[s + 1]):
            if allowed[labels[e]]:
                t = targets[e]
                sources[place[t]] = s
                place[t] += 1
    return 0


def reach(stop, offsets, targets, n, found, stack):
    """Mark in ``found`` (0 or 1 by state) everything that can be reached from what is marked."""
    top = 0
    for s in range(n):
        if found[s]:
            stack[top] = s
            top += 1
    while top:
        if stop[0]:
            break
        top -= 1
        s = stack[top]
        for e in range(offsets[s], offsets[s + 1]):
            t = targets[e]
            if not found[t]:
                found[t] = 1
                stack[top] = t
                top += 1
    return 0


def components(stop, offsets, targets, live, n, component, index, low, stack, calls, edge):
    """Write the strongly connected component of each live state; return how many there are.

    Tarjan's algorithm (1972) without recursion; ``component`` stays as it is for states that are
    not live. The other arrays are room to work in, ``index`` and ``low`` filled with 0.
    """
    counter, count, top = 0, 0, 0
    for root in range(n):
        if not live[root] or index[root]:
            continue
        depth = 0
        calls[0] = root
        counter += 1
        index[root] = low[root] = counter
        edge[root] = offsets[root]
        stack[top] = root
        top += 1
        while depth >= 0:
            if stop[0]:
                break
            s = calls[depth]
            if edge[s] < offsets[s + 1]:
                t = targets[edge[s]]
                edge[s] += 1
                if not live[t]:
                    continue
                if index[t] == 0:
                    counter += 1
                    index[t] = low[t] = counter
                    edge[t] = offsets[t]
                    stack[top] = t
                    top += 1
                    depth += 1
                    calls[depth] = t
                elif component[t] < 0 and index[t] < low[s]:
                    low[s] = index[t]
                continue
            depth -= 1
            if depth >= 0 and low[s] < low[calls[depth]]:
                low[calls[depth]] = low[s]
            if low[s] == index[s]:
                while True:
                    top -= 1
                    t = stack[top]
                    component[t] = count
                    if t == s:
                        break
                count += 1
    return count


def fair_components(
    stop, offsets, targets, labels, component, count, fair, n, classes, inside, excused, enabled
):
    """Write for each component whether a weakly fair behaviour can stay in it for ever.

    It must have an edge inside, and every class of ``fair`` labels must be taken inside or be
    disabled in one of its states. For weak fairness a part of a component that is not fair is
    not fair either, so whole components decide.
    """
    for s in range(n):
        if stop[0]:
            break
        c = component[s]
        if c < 0:
            continue
        for e in range(offsets[s], offsets[s + 1]):
            enabled[labels[e]] = s + 1
            if component[targets[e]] == c:
                inside[c] = 1
                excused[c * classes + labels[e]] = 1
        for k in range(classes):
            if enabled[k] != s + 1:
                excused[c * classes + k] = 1
    for c in range(count):
        for k in range(classes):
            if fair[k] and not excused[c * classes + k]:
                inside[c] = 0
    return 0


def starved_states(stop, offsets, targets, labels, component, strong, n, classes, taken, starved):
    """Mark where a class of ``strong`` labels is possible that its component never takes.

    A strongly fair behaviour that stays in the component for ever leaves these states out.
    """
    for s in range(n):
        if stop[0]:
            break
        c = component[s]
        if c >= 0:
            for e in range(offsets[s], offsets[s + 1]):
                if component[targets[e]] == c:
                    taken[c * classes + labels[e]] = 1
    for s in range(n):
        if stop[0]:
            break
        c = component[s]
        if c >= 0:
            for e in range(offsets[s], offsets[s + 1]):
                if strong[labels[e]] and not taken[c * classes + labels[e]]:
                    starved[s] = 1
    return 0


def quiet_states(stop, offsets, labels, own, n, quiet):
    """Leave marked in ``quiet`` the states that no edge with a label of ``own`` leaves."""
    for s in range(n):
        if stop[0]:
            break
        for e in range(offsets[s], offsets[s + 1]):
            if own[labels[e]]:
                quiet[s] = 0
                break
    return 0


def inner_edges(stop, offsets, targets, labels, component, wanted, n, found):
    """Mark each component within which an edge with a wanted label stays."""
    for s in range(n):
        if stop[0]:
            break
        c = component[s]
        if c >= 0:
            for e in range(offsets[s], offsets[s + 1]):
                if wanted[labels[e]] and component[targets[e]] == c:
                    found[c] = 1
    return 0


def distances(stop, offsets, sources, live, goals, n, distance, queue):
    """Write for each live state how many edges a shortest way within ``live`` to a goal has.

    The graph is the reversed one; ``distance`` is filled with -1, and stays so where no goal can
    be reached.
    """
    head, tail = 0, 0
    for s in range(n):
        if goals[s] and live[s]:
            distance[s] = 0
            queue[tail] = s
            tail += 1
    while head < tail:
        if stop[0]:
            break
        t = queue[head]
        head += 1
        for e in range(offsets[t], offsets[t + 1]):
            s = sources[e]
            if live[s] and distance[s] < 0:
                distance[s] = distance[t] + 1
                queue[tail] = s
                tail += 1
    return 0


def excusing_states(stop, offsets, targets, labels, member, label, n, found):
    """Mark the member states in which a class is disabled or is taken to another member."""
    for s in range(n):
        if stop[0]:
            break
        if member[s]:
            disabled = 1
            for e in range(offsets[s], offsets[s + 1]):
                if labels[e] == label:
                    disabled = 0
                    if member[targets[e]]:
                        found[s] = 1
            if disabled:
                found[s] = 1
    return 0
