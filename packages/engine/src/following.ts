import type { Immutable } from "@gateway/database";
import { sql, type Kysely } from "kysely";
import type { FollowNumbersTable } from "./follow-numbers.ts";

export type FollowingTables = {
  follow_numbers: FollowNumbersTable;
  /** Unlogged: empty after a crash of Postgres, and waiting followers register again. */
  followers: {
    channel: Immutable<string>;
    account_id: Immutable<string>;
    until: Date;
  };
};

/** Notified once per transaction and account that has followers (`wake_followers`). */
export const eventsRecordedChannel = "events_recorded";
export const requestsLoggedChannel = "requests_logged";

/** How long a follower is notified after it registered. */
const followerMs = 60_000;

export type Followers = ReturnType<typeof createFollowing>;

export function createFollowing(db: Kysely<FollowingTables>) {
  return {
    /**
     * Registers a follower: for a minute, the channel is notified of rows recorded for the account, with the account's
     * id.
     */
    register: async (channel: string, accountId: string) => {
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
