import { isatty } from "node:tty";
import { pino, type DestinationStream, type Logger } from "pino";
import { renderLogText } from "./log-text.ts";

export type { Logger } from "pino";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export const logFormats = ["auto", "json", "text"] as const;
export type LogFormat = (typeof logFormats)[number];
export type LogLevel = (typeof logLevels)[number];

/** Anything that looks like one of our API keys, whole or cut, even with an encoded underscore. */
const secretPattern = /gk(?:_|%5f)(test|live)(?:_|%5f)[0-9A-Za-z]{4,}(?:(?:_|%5f)[0-9A-Za-z]*)?/gi;
/** A webhook secret, whole or cut. */
const webhookSecretPattern = /whsec(?:_|%5f)[\w-]{4,}/gi;
const bearerPattern = /Bearer [\w.~+/=-]{8,}/gi;
/** A JWT (RFC 7519), whole or cut: its header and its claims begin with `{"`, in base64url `eyJ`. */
const jwtPattern = /eyJ(?:[\w.-]|%(?:5[Ff]|2[DdEe])){8,}/g;

export type LoggerOptions = {
  level: LogLevel;
  name: string;
  format?: LogFormat;
  /** Standard output by default. */
  destination?: DestinationStream;
};

const stdout = 1;

/**
 * Structured logs, one JSON object a line; at a terminal, a line for people, unless the format says otherwise. API
 * keys, webhook secrets, bearer tokens and JWTs are masked in the finished text. Redaction by field name alone would
 * miss a key inside a message, a path or a stack.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { format = "auto", destination } = options;
  const isTerminal = !destination && isatty(stdout);
  const isText = format === "text" || (format === "auto" && isTerminal);
  // Overwrites a line of progress.
  const start = isTerminal ? "\r\u{1b}[2K" : "";
  return pino(
    {
      name: options.name,
      level: options.level,
      base: { name: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: isText ? (line) => start + renderLogText(maskSecrets(line)) : maskSecrets },
    },
    destination ?? pino.destination({ dest: stdout, sync: false }),
  );
}

/** Replaces API keys, webhook secrets, bearer tokens and JWTs by a mark that names the kind. */
export function maskSecrets(text: string): string {
  return text
    .replace(secretPattern, "gk_$1_[masked]")
    .replace(webhookSecretPattern, "whsec_[masked]")
    .replace(bearerPattern, "Bearer [masked]")
    .replace(jwtPattern, "eyJ[masked]");
}
