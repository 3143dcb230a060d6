import { logFormats, logLevels, type LogFormat, type LogLevel } from "./logger.ts";
import { choiceSetting, type SettingValues } from "./settings.ts";

export const logSettings = {
  LOG_LEVEL: choiceSetting({
    description: "Lowest level of log lines that are written",
    default: "info",
    choices: logLevels,
  }),
  LOG_FORMAT: choiceSetting({
    description: "Format of log lines; `auto` is text at a terminal and JSON elsewhere",
    default: "auto",
    choices: logFormats,
  }),
};

export type LogConfig = { logLevel: LogLevel; logFormat: LogFormat };

export function logConfigOf(values: SettingValues<typeof logSettings>): LogConfig {
  return { logLevel: values.LOG_LEVEL, logFormat: values.LOG_FORMAT };
}
