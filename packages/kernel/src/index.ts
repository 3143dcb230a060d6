export * from "./cipher.ts";
export * from "./clock.ts";
export * from "./cursor.ts";
export * from "./decimal.ts";
export * from "./end-of-turn.ts";
export * from "./id.ts";
export * from "./keys.ts";
export * from "./log-settings.ts";
export * from "./logger.ts";
export * from "./money.ts";
export * from "./parse-timestamp.ts";
export * from "./program-help.ts";
export * from "./seconds-in-words.ts";
export * from "./settings.ts";
export {
  databaseUrlSetting,
  readDatabaseUrl,
  withDatabaseUser,
  type DatabaseAddresses,
  type DatabaseSession,
} from "./database-url.ts";
