import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MailConfig } from "../config.ts";

type Mail = { id: string; to: string; subject: string; text: string };

export interface MailSender {
  /** Returns the place where it went, for the log. Rejects when it was not sent. */
  send(mail: Mail): Promise<string>;
  close(): void;
}

export async function createMailSender(config: MailConfig): Promise<MailSender> {
  return config.kind === "smtp" ? createSmtpSender(config) : createFileSender(config);
}

const connectTimeoutMs = 10_000;
const answerTimeoutMs = 20_000;

async function createSmtpSender({ url, from }: { url: string; from: string }): Promise<MailSender> {
  // Loaded only when there is a mail server.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
    // A mail is text that we wrote. It must not make us open a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ id, to, subject, text }) => {
      const { hostname } = new URL(url);
      // The same id at a repetition, so that mail programs show the mail once.
      await transport.sendMail({
        from,
        to: { name: "", address: to },
        subject,
        text,
        messageId: `<${id}@${hostname}>`,
      });
      return "sent to the mail server";
    },
    close: () => transport.close(),
  };
}

/**
 * For machines without a mail server: writes a file for each mail, readable by its owner alone, whole or not at all.
 */
function createFileSender({ folder }: { folder: string }): MailSender {
  return {
    send: async ({ id, to, subject, text }) => {
      await mkdir(folder, { recursive: true });
      const file = join(folder, `${id}.txt`);
      await writeFile(`${file}.part`, `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600 });
      await rename(`${file}.part`, file);
      return `written to ${file}, because SMTP_URL is not set`;
    },
    close: () => {},
  };
}
