export { createConsoleSessions } from "./console-session.ts";
export type { ConsoleSession, ConsoleSessions, ConsoleTokens } from "./console-session.ts";
export type { ConsoleTables } from "./tables.ts";
export { openConsoleDatabase, type ConsoleDatabase } from "./open-console-database.ts";
