import type { Settings } from "./settings.ts";

export type ProgramHelp = {
  /** The command that starts it, such as `npm run gateway`. */
  command: string;
  /** Describes the program in a sentence or a few. */
  does: string;
  settings: Settings;
  /** A line to copy. */
  example: string;
};

/**
 * The reply to arguments of a program that accepts only `--help`: its help, or that the argument is unknown. Null when
 * the program should start.
 */
export function answerArguments(args: readonly string[], help: ProgramHelp): { text: string; exitCode: number } | null {
  const [first] = args;
  if (first === undefined) {
    return null;
  }
  return first === "--help" || first === "-h"
    ? { text: renderHelp(help), exitCode: 0 }
    : {
        text: `There is no argument ${first}: ${help.command} takes --help alone, and settings from the environment.`,
        exitCode: 2,
      };
}

function renderHelp({ command, does, settings, example }: ProgramHelp): string {
  const rows = Object.entries(settings).map(
    ([name, setting]) => `  ${name}\n      ${setting.description}\n      Default: ${setting.default || "none"}`,
  );
  return `Usage: ${command}\n\n${does}\n\nSettings, from the environment:\n\n${rows.join("\n")}\n\nExample:\n\n  ${example}`;
}
