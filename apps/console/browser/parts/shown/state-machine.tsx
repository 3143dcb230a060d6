import { stateMachines, type DrawnMachine, type MachineName } from "../../data/state-machines.ts";

/**
 * The states by their distance from the beginning, with the path to the current one in bold. The possible next ones
 * follow below.
 */
export function StateMachineView({ machine, state }: { machine: MachineName; state: string }) {
  const drawn = stateMachines[machine];
  const walked = wayTo(drawn, state);
  const next = drawn.transitions.filter(({ from }) => from?.includes(state));
  const columns = columnsOf(drawn);
  return (
    <figure className="machine" aria-label={`States: now ${words(state)}`}>
      <ol className="machine-columns">
        {columns.map((states, index) => (
          <li key={states.join()}>
            {index > 0 && <span className="machine-arrow" aria-hidden="true" />}
            <ul>
              {states.map((one) => (
                <li
                  key={one}
                  className="machine-state"
                  data-walked={walked.includes(one)}
                  data-final={drawn.final.includes(one)}
                  aria-current={one === state ? "step" : undefined}
                >
                  {words(one)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <figcaption>
        {next.length === 0
          ? `It is ${words(state)}, and this is final.`
          : next.map(({ name, to, cause }) => (
              <span key={name}>
                <strong>{words(to)}</strong> {cause}
              </span>
            ))}
      </figcaption>
    </figure>
  );
}

function words(state: string): string {
  return state.replaceAll("_", " ");
}

function columnsOf({ states, transitions }: DrawnMachine): string[][] {
  const depths = new Map<string, number>();
  let ends = transitions.filter(({ from }) => from === null).map(({ to }) => to);
  // An initial state that is also reached from the usual initial state belongs to the second column.
  for (let depth = 0; ends.length > 0; depth += 1) {
    const found = [...new Set(ends)].filter((state) => !depths.has(state));
    for (const state of found) {
      depths.set(state, depth === 0 && isAlsoReached(state, transitions) ? 1 : depth);
    }
    ends = transitions.filter(({ from }) => from?.some((state) => found.includes(state))).map(({ to }) => to);
  }
  const last = Math.max(...depths.values());
  return Array.from({ length: last + 1 }, (_, depth) => states.filter((state) => depths.get(state) === depth)).filter(
    (column) => column.length > 0,
  );
}

/** A payment that is settled at once is drawn after `initiated` nevertheless. */
function isAlsoReached(state: string, transitions: DrawnMachine["transitions"]): boolean {
  const beginnings = transitions.filter(({ from }) => from === null).map(({ to }) => to);
  return transitions.some(
    ({ from, to }) => to === state && from?.some((one) => one !== state && beginnings[0] === one),
  );
}

/** The shortest path from an initial state to a state, both included. The usual initial state is preferred. */
function wayTo({ transitions }: DrawnMachine, state: string): string[] {
  const beginnings = transitions.filter(({ from }) => from === null).map(({ to }) => to);
  return findWay(transitions, beginnings.slice(0, 1), state) ?? findWay(transitions, beginnings, state) ?? [state];
}

function findWay(
  transitions: DrawnMachine["transitions"],
  beginnings: readonly string[],
  state: string,
): string[] | null {
  const seen = new Set(beginnings);
  for (let ways = beginnings.map((one) => [one]); ways.length > 0;) {
    const found = ways.find((way) => way.at(-1) === state);
    if (found) {
      return found;
    }
    ways = ways.flatMap((way) =>
      transitions
        .filter(({ from, to }) => from?.includes(way.at(-1) ?? "") && !seen.has(to))
        .map(({ to }) => {
          seen.add(to);
          return [...way, to];
        }),
    );
  }
  return null;
}
