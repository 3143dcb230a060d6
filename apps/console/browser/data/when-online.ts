/**
 * Loads a part of the program when there is a network. Rejects when the part is missing, because it has another build.
 */
export async function whenOnline<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine) {
      throw error;
    }
    await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
    return whenOnline(load);
  }
}
