import { Pool } from "undici";
import { senderConnections, serveSender } from "./sender.ts";
import { createSigned } from "./sign-body.ts";

// The cheapest sender with undici: no queue, no record, no deadline, no check of the address.
serveSender(({ origin, body, secret }) => {
  const pool = new Pool(origin, { connections: senderConnections });
  const signed = createSigned(secret, body);
  const bytes = Buffer.from(body);
  return {
    prepare: async () => {},
    run: async (count) => {
      let sent = 0;
      const sendAll = async (): Promise<void> => {
        while (sent < count) {
          sent += 1;
          const response = await pool.request({ method: "POST", path: "/bare", headers: await signed(), body: bytes });
          await response.body.text();
        }
      };
      await Promise.all(Array.from({ length: senderConnections }, sendAll));
    },
  };
});
