import { styleText } from "node:util";

type LogLine = { level: string; time: string; name: string; msg?: string; err?: LoggedError } & Record<string, unknown>;
type LoggedError = { stack?: string; message?: string };

const styles = { fatal: "red", error: "red", warn: "yellow" } as const;

/**
 * Renders a finished log line, which is JSON, for people. It has the local time of day, the program, what happened, and
 * the other fields as `name=value`. The stack of an error follows below. A request is one line that begins with its
 * operation and its status.
 */
export function renderLogText(json: string): string {
  // The logger wrote it.
  const { level, time, name, msg = "", err, ...fields } = JSON.parse(json) as LogLine;
  const [happened, rest] = "durationMs" in fields ? renderRequest(msg, fields) : [msg, fields];
  const style = Object.entries(styles).find(([styled]) => styled === level)?.[1];
  const parts = [
    styleText("dim", timeOfDay(time)),
    style ? styleText(style, level.padEnd(5)) : level.padEnd(5),
    styleText("dim", name),
    printable(happened),
    styleText("dim", renderFields(rest)),
  ];
  const stack =
    err &&
    `\n${(err.stack ?? err.message ?? "")
      .split("\n")
      .map((line) => `    ${printable(line)}`)
      .join("\n")}`;
  return `${parts.join(" ").trimEnd()}${stack ?? ""}\n`;
}

/** `GET listWallets 200 3.21 ms`, followed by the other fields. */
function renderRequest(msg: string, fields: Record<string, unknown>): [string, Record<string, unknown>] {
  const { method, operation, route, status, durationMs, isAnswered, ...rest } = fields;
  const ending = isAnswered === false ? "not answered" : status;
  const remark = msg === "request" ? "" : `, ${msg}`;
  return [[method, operation ?? route, ending, durationMs, "ms"].join(" ") + remark, rest];
}

function renderFields(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => printable(`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`))
    .join(" ");
}

function timeOfDay(time: string): string {
  const date = new Date(time);
  return `${date.toLocaleTimeString("sv")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Prevents external text from moving the cursor, colouring the screen or forging a line. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
}
