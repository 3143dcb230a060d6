import { createCipher } from "@gateway/kernel";
import { openUserMail, type UserMail } from "@gateway/platform/mails";
import { encryptionKey, type TestGateway } from "./test-gateway.ts";

/** Queued mails to an address, oldest first. */
export async function mailsTo({ database }: Pick<TestGateway, "database">, email: string): Promise<UserMail[]> {
  const rows = await database.kysely
    .selectFrom("mails")
    .select(["id", "content"])
    .where("email", "=", email)
    .orderBy("id")
    .execute();
  const cipher = createCipher([encryptionKey]);
  return rows.map(({ id, content }) => openUserMail(cipher, { id, content: content ?? Buffer.alloc(0) }));
}

/** The secret of the link in a mail. */
export function secretOf(mail: UserMail | undefined): string {
  return mail && "url" in mail ? (new URL(mail.url).searchParams.get("token") ?? "") : "";
}
