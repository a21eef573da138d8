/** Loaded into a target with --import: reports over IPC the CPU time of the process so far. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system })
})
process.channel?.unref()
