// Ends the sandbox of the job, which deletes its data.
const pid = Number(process.env.STATE_pid);
if (pid > 0) {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
    process.stdout.write('::warning title=edgectl::The sandbox ended before the job did.\n');
  }
}
