/** Another process owns the data folder. That process continues unharmed. */
export class DataFolderInUseError extends Error {
  override name = "DataFolderInUseError";
  readonly dataDir: string;

  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another running gateway. ` +
        `Stop that one first, or set DATA_DIR to another folder, or share one database by setting DATABASE_URL.`,
    );
    this.dataDir = dataDir;
  }
}

/** The embedded Postgres cannot run here. The message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

/** True for a file system or process error with this code (`ENOENT`, ...). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
