import { consoleApplication } from "../accounts/index.ts";
import type { Viewer } from "../request-log/index.ts";

type Asker = {
  accountId: string;
  credential: { kind: "apiKey" } | { kind: "accessToken"; applicationId: string };
};

/** An application may act for a person, but may not read requests of others. The console stands for its person. */
export function viewerOf({ accountId, credential }: Asker): Viewer {
  const isApplication = credential.kind === "accessToken" && credential.applicationId !== consoleApplication.id;
  return { accountId, onlyOf: isApplication ? credential.applicationId : null };
}
