/** Loads a part of the program, when there is a network. A part that is missing is of another build: that rejects. */
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
