import type { Immutable } from "@gateway/database";
import { sql, type Kysely } from "kysely";
import type { FollowNumbersTable } from "./follow-numbers.ts";

export type FollowingTables = {
  follow_numbers: FollowNumbersTable;
  /** Unlogged: empty after a crash of Postgres, and whoever waits says so again. */
  followers: {
    channel: Immutable<string>;
    account_id: Immutable<string>;
    until: Date;
  };
};

/** Each account that has followers is told once a transaction (`wake_followers`). */
export const eventsRecordedChannel = "events_recorded";
export const requestsLoggedChannel = "requests_logged";

/** For how long somebody is told after they said that they wait. */
const followerMs = 60_000;

export interface Followers {
  /** Somebody waits for what is recorded for an account: its name is notified on the channel, for a minute. */
  register(channel: string, accountId: string): Promise<void>;
  /** Forgets who waits no more. */
  deleteExpired(): Promise<void>;
}

export function createFollowing(db: Kysely<FollowingTables>): Followers {
  return {
    register: async (channel, accountId) => {
      await sql`
        insert into followers (channel, account_id, until)
        values (${channel}, ${accountId}, gateway_now() + ${sql.lit(followerMs)} * interval '1 millisecond')
        on conflict (channel, account_id) do update set until = greatest(followers.until, excluded.until)
      `.execute(db);
    },
    deleteExpired: async () => {
      await sql`delete from followers where until < gateway_now()`.execute(db);
    },
  };
}
