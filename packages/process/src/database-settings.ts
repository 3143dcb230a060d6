import { integerSetting, databaseUrlSetting, type Setting, type SettingValues } from "@gateway/kernel";

/** What a program on the database reads beside DATABASE_URL. `pool`: its connections at most, in words, unless set. */
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
  /** Null: the database is reached without a pooler. */
  directUrl: string | null;
  /** Null: as many connections as the program finds right. */
  databasePool: number | null;
};

export function databaseConfigOf(values: SettingValues<ReturnType<typeof databaseSettings>>): DatabaseConfig {
  return { directUrl: values.DATABASE_DIRECT_URL, databasePool: values.DATABASE_POOL };
}

/** With fewer than two, what is asked beside a transaction would wait for its end. */
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
