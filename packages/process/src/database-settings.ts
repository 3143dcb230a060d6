import { integerSetting, databaseUrlSetting, type Setting, type SettingValues } from "@gateway/kernel";

/** Settings of a program on the database, except DATABASE_URL. `pool` describes its default number of connections. */
export function databaseSettings(pool: string) {
  return {
    DATABASE_DIRECT_URL: databaseUrlSetting({
      description:
        "The same database without its pooler, for notifications and migrations. Needed when `DATABASE_URL` leads to PgBouncer",
      default: "`DATABASE_URL`",
    }),
    DATABASE_POOL: poolSetting(pool),
  };
}

export type DatabaseConfig = {
  /** Null when the database is reached without a pooler. */
  directUrl: string | null;
  /** Null leaves the number of connections to the program. */
  databasePool: number | null;
};

export function databaseConfigOf(values: SettingValues<ReturnType<typeof databaseSettings>>): DatabaseConfig {
  return { directUrl: values.DATABASE_DIRECT_URL, databasePool: values.DATABASE_POOL };
}

/** With fewer, a query outside of a transaction would wait for that transaction's end. */
const leastConnections = 2;
const mostConnections = 500;

function poolSetting(pool: string): Setting<number | null> {
  const size = integerSetting({
    description: "Most connections of a process to the database. It opens two or three more for notifications",
    default: leastConnections,
    min: leastConnections,
    max: mostConnections,
  });
  return { ...size, default: pool, read: (text) => (text === undefined ? null : size.read(text)) };
}
