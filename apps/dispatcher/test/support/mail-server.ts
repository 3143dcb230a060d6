import { SMTPServer } from "smtp-server";

type ReceivedMail = { to: string[]; from: string; data: string };

export type TestMailServer = {
  received: ReceivedMail[];
  /** Settings with which a dispatcher sends to it. */
  env: { SMTP_URL: string; MAIL_FROM: string };
  /** The next mails are refused for now. */
  refuse(count: number): void;
  /** How many of them are still to come. */
  refusals(): number;
  close(): Promise<void>;
};

export async function startMailServer(): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refusals > 0) {
          refusals -= 1;
          done(Object.assign(new Error("Try later"), { responseCode: 451 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((to) => to.address),
          data: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    received,
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Gateway <alerts@gateway.test>" },
    refuse: (count) => {
      refusals = count;
    },
    refusals: () => refusals,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
