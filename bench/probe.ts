/** Loaded into a target with --import: tells over IPC what the process has used so far. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system })
})
process.channel?.unref()
