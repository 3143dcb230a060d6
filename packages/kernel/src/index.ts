export * from "./cipher.ts";
export * from "./clock.ts";
export * from "./cursor.ts";
export * from "./id.ts";
export * from "./log-settings.ts";
export * from "./logger.ts";
export * from "./money.ts";
export * from "./settings.ts";
