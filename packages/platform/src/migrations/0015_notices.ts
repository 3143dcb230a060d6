import { addIndexes } from "@gateway/database";

/** The admin keys that an account can go on with: whether another is there is one probe, from the one that lives longest. */
export const notices = addIndexes([
  {
    name: "lasting_admin_keys",
    on: "api_keys (account_id, expires_at) where permission = 'admin' and revoked_at is null and replaced_by is null",
  },
]);
