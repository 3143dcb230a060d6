import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

const id = 'text collate "C"';

/**
 * Which user a person was who left: somebody who joins again is another person, and is told from others by what they were. A trigger
 * writes it, for people whom the release before removes too.
 */
const statements = [
  `create table former_people (
    account_id ${id} not null,
    user_id ${id} not null,
    id ${id} not null,
    primary key (account_id, user_id, id)
  )`,
  `create function keep_former_person() returns trigger language plpgsql as $$
  begin
    insert into former_people (account_id, user_id, id) values (old.account_id, old.user_id, old.id);
    return null;
  end $$`,
  `create trigger people_removed after delete on people for each row
    when (old.user_id is not null) execute function keep_former_person()`,
];

export const formerPeople: LockingMigration = {
  locks: ["people"],
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
