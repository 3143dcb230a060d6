import { describe, expect, onTestFinished, test, vi } from "vitest";
import { whenOnline } from "../browser/data/when-online.ts";

const network = { onLine: true };

/** A load that fails this often before it succeeds. */
function startLoad(failures: number) {
  const back = new EventTarget();
  vi.stubGlobal("navigator", network);
  vi.stubGlobal("addEventListener", back.addEventListener.bind(back));
  onTestFinished(() => void vi.unstubAllGlobals());
  const load = vi.fn<() => Promise<string>>(async () => {
    if (load.mock.calls.length <= failures) {
      throw new Error("Failed to fetch");
    }
    return "part";
  });
  return { load, comeBack: () => back.dispatchEvent(new Event("online")) };
}

describe("a part of the program", () => {
  test("is loaded again when the network is back", async () => {
    const { load, comeBack } = startLoad(1);
    network.onLine = false;
    const loaded = whenOnline(load);
    // The failure is handled and the listener is added by then.
    await new Promise(setImmediate);
    network.onLine = true;
    comeBack();
    expect(await loaded).toBe("part");
    expect(load).toHaveBeenCalledTimes(2);
  });

  test("is loaded again when the network came back before the failure was seen", async () => {
    network.onLine = true;
    const { load } = startLoad(1);
    expect(await whenOnline(load)).toBe("part");
  });

  test("that is missing is a failure after the second try", async () => {
    network.onLine = true;
    const { load } = startLoad(2);
    await expect(whenOnline(load)).rejects.toThrow("Failed to fetch");
    expect(load).toHaveBeenCalledTimes(2);
  });
});
