// Computes and sleeps as its arguments say (x1e9: a Gflop, s0.5: half a second) on host `a`, under
// the governor that the platform names. For SimGrid's plugins host_dvfs and host_energy.
#include <simgrid/plugins/energy.h>
#include <simgrid/plugins/load.h>
#include <simgrid/plugins/dvfs.h>
#include <simgrid/s4u.hpp>
#include <cstdio>
#include <string>
#include <vector>
namespace sg4 = simgrid::s4u;
static double worked_until;
static std::vector<std::string> steps;
static void work()
{
  for (auto const& step : steps) {
    double amount = std::stod(step.substr(1));
    if (step[0] == 'x')
      sg4::this_actor::execute(amount);
    else
      sg4::this_actor::sleep_for(amount);
  }
  worked_until = sg4::Engine::get_clock();
}
int main(int argc, char** argv)
{
  sg_host_energy_plugin_init();
  sg4::Engine e(&argc, argv);
  sg_host_load_plugin_init();
  e.load_platform(argv[1]);
  sg_host_dvfs_plugin_init();
  for (int i = 2; i < argc; i++)
    steps.push_back(argv[i]);
  sg4::Actor::create("work", e.host_by_name("a"), work);
  e.run();
  printf("RESULT %.6f %.6f\n", worked_until, sg_host_get_consumed_energy(e.host_by_name("a")));
}
