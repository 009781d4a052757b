// A run that grows: look for new steps, and say so while its home does not answer.

const LOOK_AGAIN = 1000; // milliseconds between two looks at a run that may grow, at least
const LOOK_SHARE = 10; // times the duration of the last look
const LATE = 1500; // milliseconds after which a question is late

// Look for new steps until the viewer stops; a viewer that cannot reach its run is marked as lost.
export async function follow(viewer) {
  let pause = LOOK_AGAIN;
  while (!viewer.isStopped) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (viewer.isStopped || document.hidden || !viewer.runs.length) continue;
    const begun = performance.now();
    try {
      const grown = await Promise.all(viewer.runs.map((run) => run.refresh()));
      if (grown.some(Boolean)) await viewer.grow();
      viewer.root.classList.remove("lost");
      pause = Math.max(LOOK_AGAIN, LOOK_SHARE * (performance.now() - begun));
    } catch {
      viewer.root.classList.add("lost");
      viewer.status.textContent = "The run is out of reach: is the server or the kernel still running?";
    }
  }
}

// Say so while a home does not answer: a kernel that runs a cell may not. Returns what ends it.
export function watchAnswers(ask, status) {
  let wasWaiting = false;
  const watch = setInterval(() => {
    const isWaiting = Boolean(ask.isWaiting?.());
    if (isWaiting && wasWaiting) status.textContent = "waiting for the kernel, which is busy …";
    wasWaiting = isWaiting;
  }, LATE);
  return () => clearInterval(watch);
}
