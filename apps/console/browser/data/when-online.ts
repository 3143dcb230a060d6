/**
 * A part of the program. Without a network none comes: it waits for one, and the page stays. A part that a server
 * does not have is of another build: that fails, and the page is loaded anew.
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
