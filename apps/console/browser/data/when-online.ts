/**
 * Loads a part of the program when there is a network. Rejects when the part is missing, because it has another build.
 * A failure with a network is tried once more, because the network may have come back since.
 */
export async function whenOnline<Module>(load: () => Promise<Module>, isLast = false): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine) {
      if (isLast) {
        throw error;
      }
      return whenOnline(load, true);
    }
    await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
    return whenOnline(load);
  }
}
