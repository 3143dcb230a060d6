import { logFormats, logLevels, type LogFormat, type LogLevel } from "./logger.ts";
import { choiceSetting, type SettingValues } from "./settings.ts";

export const logSettings = {
  LOG_LEVEL: choiceSetting({ description: "Least severe log line written", default: "info", choices: logLevels }),
  LOG_FORMAT: choiceSetting({
    description: "How log lines are written; `auto` is text at a terminal and JSON elsewhere",
    default: "auto",
    choices: logFormats,
  }),
};

export type LogConfig = { logLevel: LogLevel; logFormat: LogFormat };

export function logConfigOf(values: SettingValues<typeof logSettings>): LogConfig {
  return { logLevel: values.LOG_LEVEL, logFormat: values.LOG_FORMAT };
}
