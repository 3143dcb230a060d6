import { parseAst } from "vitest/node";
import type { SourceFile } from "./source-files.ts";

/** A node of ESTree; `start` and `end` are offsets in the text of its file. */
type Node = { type: string; start: number; end: number } & Record<string, unknown>;

type ParsedFile = {
  path: string;
  nodes: readonly Node[];
  /** The beginning of a node's source without spaces, which identifies it. */
  textOf(node: unknown): string;
  /** The globals that `vi.useFakeTimers` replaces in this file. Those clocks stand still until a test moves them. */
  fakes: ReadonlySet<string>;
  /** The values of this file's numeric constants. */
  numbers: ReadonlyMap<string, number>;
  /** Whether an expression calculates with the machine's time, including through a variable. */
  isReading(node: unknown): boolean;
};

/** A reason to refuse the node, or null. */
type Rule = (node: Node, file: ParsedFile) => string | null;

/**
 * The shortest timeout that a test may give a condition. A busy machine takes ten times as long, and the result is
 * still right.
 */
const netMs = 60_000;

const stopwatch =
  /^(?:process\.(?:hrtime|cpuUsage|threadCpuUsage|resourceUsage|uptime)|performance\.(?:now|timeOrigin))$/;
const comparison = /^(?:[<>]=?|-)$/;
const matcher = /\.(?:toBe(?:Less|Greater)Than(?:OrEqual)?|toBeCloseTo)$/;

const wallTime: Rule = (node, { textOf, fakes, isReading }) => {
  const { type, left, right, operator } = node;
  if (type === "MemberExpression" && stopwatch.test(textOf(node)) && !fakes.has("performance")) {
    return "reads a stopwatch";
  }
  if (type === "CallExpression" && textOf(node["callee"]) === "measureSlowness") {
    return "measures the machine, as only a limit of time has to";
  }
  if (type === "BinaryExpression" && comparison.test(String(operator))) {
    const isCompared = operator === "-" ? isReading(right) : isReading(left) || isReading(right);
    return isCompared ? "compares the time of the machine" : null;
  }
  if (type === "CallExpression" && (matcher.test(textOf(node["callee"])) || textOf(node["callee"]) === "expect")) {
    return partsOf(node["arguments"]).some(isReading) ? "expects a time of the machine" : null;
  }
  return null;
};

const shortNet: Rule = (node, { textOf, numbers }) => {
  const callee = node.type === "CallExpression" ? textOf(node["callee"]) : "";
  if (/^(?:vi\.wait(?:For|Until)|expect\.poll)$/.test(callee)) {
    return "waits for a second at most: waitFor of the testkit has a long net";
  }
  const isWait = /(?:^|\.)(?:waitFor|printed)$/.test(callee);
  const nets = partsOf(node["arguments"]).flatMap((part) =>
    isWait ? propertiesOf(part, "timeoutMs") : isOfTest(callee) ? [part, ...propertiesOf(part, "timeout")] : [],
  );
  const isShort = nets.some((net) => (numbers.get(textOf(net)) ?? Number(textOf(net).replaceAll("_", ""))) < netMs);
  return isShort ? `waits for less than ${netMs / 1000} s` : null;
};

const retry: Rule = (node, { path, textOf }) => {
  const isCounted = node.type === "CallExpression" && isOfTest(textOf(node["callee"]));
  const options = isCounted ? partsOf(node["arguments"]) : path === "vitest.config.ts" ? [node] : [];
  return options.some((part) => propertiesOf(part, "retry").length > 0) ? "tries again what has failed" : null;
};

const sleep: Rule = (node, { textOf, fakes }) => {
  const callee = node.type === "CallExpression" ? textOf(node["callee"]) : "";
  const isImport = node.type === "ImportDeclaration" && node["importKind"] !== "type";
  if (isImport && /timers\/promises/.test(textOf(node["source"]))) {
    const imported = partsOf(node["specifiers"]).map(({ imported: name }) => textOf(name));
    return imported.every((name) => name === "setImmediate") ? null : "imports a sleep";
  }
  if (/^(?:Atomics\.wait|Bun\.sleep)$|\.waitForTimeout$/.test(callee)) {
    return "sleeps";
  }
  if (/^(?:TemplateElement|Literal)$/.test(node.type) && /pg_sleep\((?!\d{2,}\))/.test(textOf(node))) {
    return "lets Postgres sleep";
  }
  // A timer whose handle is kept is a safety net or a peer's rhythm, and is cleared. A timer without a kept handle is
  // waited for.
  const isDropped = /^(?:globalThis\.)?set(?:Timeout|Interval)$/.test(callee) && node["isKept"] !== true;
  return isDropped && !fakes.has("setTimeout") && partsOf(node["arguments"]).length > 1 ? "waits for a timer" : null;
};

const localTime = /^(?:get|set)(?:Hours|Minutes|Day|Date|Month|FullYear|TimezoneOffset)$|^toLocale(?:Date|Time)String$/;

const timeOfDay: Rule = (node, { textOf, isReading }) => {
  const { type, left, operator } = node;
  const args = partsOf(node["arguments"]);
  const isRandom = type === "MemberExpression" && textOf(node) === "Math.random";
  if (isRandom || (type === "CallExpression" && ["randomInt", "chooseSeed"].includes(textOf(node["callee"])))) {
    return "is random without a seed";
  }
  if (type === "MemberExpression" && localTime.test(textOf(node["property"]))) {
    return "depends on the time zone";
  }
  if (type === "MemberExpression" && /^getUTC/.test(textOf(node["property"])) && isReading(node["object"])) {
    return "depends on the time of day";
  }
  if (type === "BinaryExpression" && operator === "%" && isReading(left)) {
    return "depends on the time of day";
  }
  const isDate = type === "NewExpression" && textOf(node["callee"]) === "Date";
  const isLocal = args.length > 1 || /^["'`]\d{4}-\d\d-\d\dT[\d:.]+["'`]$/.test(textOf(args[0]));
  return isDate && isLocal ? "depends on the time zone" : null;
};

export const clockRules = { wallTime, shortNet, retry, sleep, timeOfDay } satisfies Record<string, Rule>;

/** The places of a file that break a rule, as `path:line reason`. */
export function findClocks(file: SourceFile, rules: readonly Rule[] = Object.values(clockRules)): string[] {
  const parsed = parse(file);
  return parsed.nodes.flatMap((node) =>
    rules.flatMap((rule) => {
      const reason = rule(node, parsed);
      return reason === null ? [] : [`${file.path}:${file.text.slice(0, node.start).split("\n").length} ${reason}`];
    }),
  );
}

function parse({ path, text }: SourceFile): ParsedFile {
  // The nodes of ESTree are plain objects; their types are not needed here.
  const nodes = walk(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }) as unknown as Node);
  const textOf = (node: unknown): string =>
    isNode(node) ? text.slice(node.start, Math.min(node.end, node.start + 200)).replace(/\s+/g, "") : "";
  const fakes = findFakes(nodes, textOf);
  const readings = new Set<string>();
  const numbers = new Map<string, number>();
  const isReading = (node: unknown): boolean => isNode(node) && !fakes.has("Date") && readsTime(node, textOf, readings);
  for (const { type, id, init } of nodes) {
    if (type === "VariableDeclarator" && isReading(init)) {
      readings.add(textOf(id));
    }
    if (type === "VariableDeclarator" && isNode(init) && typeof init["value"] === "number") {
      numbers.set(textOf(id), init["value"]);
    }
  }
  return { path, nodes, textOf, fakes, numbers, isReading };
}

function readsTime(node: Node, textOf: (node: unknown) => string, readings: ReadonlySet<string>): boolean {
  const reads = (part: unknown): boolean => isNode(part) && readsTime(part, textOf, readings);
  if (/^(?:Date\.now\(\)|systemClock\.now\(\)|newDate\(\))$/.test(textOf(node)) || readings.has(textOf(node))) {
    return true;
  }
  const isCalculation = /^(?:Math\.\w+|Number|Date)$/.test(textOf(node["callee"]));
  return (
    [node["left"], node["right"], node["expression"], node["argument"]].some(reads) ||
    (isCalculation && partsOf(node["arguments"]).some(reads)) ||
    (isNode(node["callee"]) &&
      /^(?:getTime|valueOf)$/.test(textOf(node["callee"]["property"])) &&
      reads(node["callee"]["object"]))
  );
}

/** Without a list of its own, `vi.useFakeTimers` replaces all but `nextTick` and `queueMicrotask`. */
function findFakes(nodes: readonly Node[], textOf: (node: unknown) => string): Set<string> {
  const calls = nodes.filter(({ type, callee }) => type === "CallExpression" && textOf(callee) === "vi.useFakeTimers");
  return new Set(
    calls.flatMap((call) => {
      const [lists] = partsOf(call["arguments"]).map((part) => propertiesOf(part, "toFake"));
      const names = lists?.map(textOf).join() ?? "";
      return names === "" ? ["Date", "performance", "setTimeout"] : (names.match(/\w+/g) ?? []);
    }),
  );
}

/** Matches `test`, `it`, `describe` and `vi` with any suffix: `test.each(rows)("...", options, run)`. */
function isOfTest(callee: string): boolean {
  return /^(?:test|it|describe|vi\.setConfig|beforeAll|beforeEach|afterAll|afterEach)\b/.test(callee);
}

function propertiesOf(node: Node, name: string): Node[] {
  return partsOf(node["properties"]).flatMap(({ key, value }) =>
    isNode(key) && (key["name"] === name || key["value"] === name) && isNode(value) ? [value] : [],
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function partsOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/**
 * The node and all nodes below it, in the order of the text. A call whose result gets a name is marked with `isKept`.
 */
function walk(node: Node): Node[] {
  const children = Object.values(node).flatMap((part) => (isNode(part) ? [part] : partsOf(part)));
  const kept = { VariableDeclarator: "init", AssignmentExpression: "right", PropertyDefinition: "value" }[node.type];
  const result = kept === undefined ? undefined : node[kept];
  if (isNode(result)) {
    result["isKept"] = true;
  }
  return [node, ...children.flatMap(walk)];
}
